// A hostile client of one kind, in a process of its own, until it is told to end. It sends what ../../e2e/hostile/inputs.ts has
// of the kind, one after the other, and begins again where it is shut out.
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";
import { codes, type Flood, floods, pairs } from "../../e2e/hostile/inputs.ts";
import { hostileServer } from "../../e2e/hostile/server.ts";

const [, , url = "", kind = ""] = process.argv;
let sent = 0;
process.on("message", () => process.send?.(sent, () => process.exit()));

/** Connects to a conversation. What it is sent is not looked at, unless somebody asks. */
async function connect(agent: string, name: string, heard: (frame: string) => void = () => {}): Promise<WebSocket> {
  const address = `${url.replace("http", "ws")}/agents/${agent}/${name}?_pk=${crypto.randomUUID()}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on("error", () => {}); // the close that follows is enough
  socket.on("message", (data) => heard(String(data)));
  await new Promise((resolve) => socket.once("open", resolve).once("close", resolve));
  return socket;
}

/** Sends a frame, unless the socket is closed, and says whether it did. */
function send(socket: WebSocket | undefined, frame: string): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(frame);
  sent++;
  return true;
}

/** Has a server for each pair, and the model call its tool over and over. */
async function schemas(): Promise<void> {
  const server = await hostileServer(pairs);
  for (let n = 0; ; n = (n + 1) % pairs.length) {
    const socket = await connect("visitor", `hostile-${n}-${sent}`);
    const rpc = (method: string, ...args: unknown[]) =>
      send(socket, JSON.stringify({ type: "rpc", id: crypto.randomUUID(), method, args }));
    rpc("addMcpServer", { name: "evil", url: `${server.url}/${n}` });
    await setTimeout(300);
    rpc("turn", { text: JSON.stringify([{ tool: "evil_look", input: {} }]), mode: "submit" });
    await setTimeout(700);
    socket.close();
  }
}

/** Has the model run each piece of code, in conversations of its own. */
async function code(): Promise<void> {
  for (let n = 0; ; n = (n + 1) % codes.length) {
    const socket = await connect("assistant", `hostile-code-${n}`);
    const text = `code: ${codes[n]?.code}`;
    const messages = [{ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }];
    const body = JSON.stringify({ messages, trigger: "submit-message" });
    const type = "cf_agent_use_chat_request";
    send(socket, JSON.stringify({ type, id: crypto.randomUUID(), init: { method: "POST", body } }));
    await setTimeout(500);
    socket.close();
  }
}

/** Floods a conversation. */
async function flood({ idle, senders, rate, before = [], frame }: Flood): Promise<void> {
  const name = `hostile-${crypto.randomUUID()}`;
  const first = await connect("assistant", name);
  for (const fill of before) send(first, fill());
  for (let n = 0; n < idle; n++) await connect("assistant", name);
  const sending: (WebSocket | undefined)[] = Array.from({ length: senders });
  const step = 20;
  for (let due = 0; ; due += (rate * step) / 1000) {
    for (; due >= 1; due--)
      for (const [n, socket] of sending.entries())
        if (!send(socket, frame()))
          sending[n] = await Promise.race([connect("assistant", name), setTimeout(1000, undefined)]);
    await setTimeout(step);
  }
}

if (kind === "schemas") await schemas();
else if (kind === "code") await code();
else {
  const one = floods.find(({ what }) => what === kind);
  if (!one) throw new Error(`there is no kind ${kind}`);
  await flood(one);
}
