// A neighbour's calls while somebody hostile is at work: servers with schemas, code of a model, and floods of clients. Each kind
// goes on for a minute, or for as many as MINUTES says, and each call has to be answered within a second.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { WebSocket } from "ws";
import { application } from "../../e2e/application.ts";
import { type Dev, dev } from "../../e2e/dev.ts";
import { floods, pairs } from "../../e2e/hostile/inputs.ts";
import { hostileServer } from "../../e2e/hostile/server.ts";
import type { Key } from "../goals.ts";
import { median } from "../quantile.ts";
import type { Table } from "../table.ts";

/** How long each kind goes on, the pause between two calls, and when a call is given up, in ms. */
const lasts = Number(process.env.MINUTES ?? 1) * 60_000;
const pause = 100;
const patience = 20_000;

const e2e = join(import.meta.dirname, "../../e2e");

/** Code and floods, against the agents of e2e/code. */
export async function floodsBeside(table: Table): Promise<void> {
  const project = await application(join(e2e, "code/agents"), ["Assistant", "Novice"]);
  try {
    await beside(table, "code", project.path("wrangler.jsonc"), "assistant", ["code"]);
    const kinds = floods.map(({ what }) => what);
    await beside(table, "floods", project.path("wrangler.jsonc"), "assistant", kinds);
  } finally {
    await project.remove();
  }
}

/** Schemas, against the agents of e2e/mcp, and what the costliest of them costs. */
export async function schemasBeside(table: Table): Promise<void> {
  const project = await application(join(e2e, "mcp/agents"), ["Everything", "Visitor", "Warden", "Hermit", "Courier"]);
  try {
    await beside(table, "schemas", project.path("wrangler.jsonc"), "visitor", ["schemas"]);
    await table.take(["neighbour.check"], "tributary", async () => [await costliest(project.path("wrangler.jsonc"))]);
  } finally {
    await project.remove();
  }
}

/** Takes the times of a neighbour beside some kinds, each with a Worker of its own. */
async function beside(
  table: Table,
  row: "schemas" | "code" | "floods",
  config: string,
  agent: string,
  kinds: string[],
) {
  const keys: Key[] = [`neighbour.${row}.p50`, `neighbour.${row}.max`];
  const all: number[] = [];
  for (const kind of kinds) {
    const server = await dev({ config });
    try {
      const times = await attacked(server, agent, kind);
      const longest = Math.max(...times);
      console.error(`  ${kind}: ${times.length} calls, p50 ${median(times).toFixed(0)}, max ${longest.toFixed(0)} ms`);
      all.push(...times);
    } finally {
      await server.stop();
    }
  }
  await table.take(keys, "tributary", async () => [median(all), Math.max(...all)]);
}

/** How long each call of the neighbour takes, in ms. */
async function attacked({ url }: Dev, agent: string, kind: string): Promise<number[]> {
  let neighbour = await Neighbour.open(url, agent);
  for (let n = 0; n < 10; n++) await neighbour.call();
  const hostile = fork(join(import.meta.dirname, "hostile.ts"), [url, kind], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const times = [];
  for (const until = performance.now() + lasts; performance.now() < until; ) {
    const took = await neighbour.call();
    times.push(took);
    if (took >= patience) neighbour = await Neighbour.open(url, agent);
    await setTimeout(pause);
  }
  hostile.send("end");
  await Promise.race([once(hostile, "message"), setTimeout(5000)]);
  hostile.kill("SIGKILL");
  neighbour.close();
  return times;
}

/** A person in a conversation of his own. */
class Neighbour {
  readonly #socket: WebSocket;
  #answer: (id: string) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("error", () => {});
    socket.on("message", (data) => this.#answer(String(data)));
  }

  static async open(url: string, agent: string, name = "neighbour"): Promise<Neighbour> {
    const address = `${url.replace("http", "ws")}/agents/${agent}/${name}?_pk=${crypto.randomUUID()}`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    const neighbour = new Neighbour(socket);
    await Promise.race([once(socket, "open"), setTimeout(patience)]);
    return neighbour;
  }

  /** Calls a method, and returns how long its answer took, or the patience if there was none. */
  async call(method = "questions", ...args: unknown[]): Promise<number> {
    const asked = performance.now();
    if (this.#socket.readyState !== WebSocket.OPEN) return patience;
    const id = crypto.randomUUID();
    const answered = new Promise<void>((resolve) => {
      this.#answer = (frame) => frame.includes(id) && frame.includes('"success"') && resolve();
    });
    this.#socket.send(JSON.stringify({ type: "rpc", id, method, args }));
    await Promise.race([answered, setTimeout(patience, undefined, { ref: false })]);
    return Math.min(performance.now() - asked, patience);
  }

  close(): void {
    this.#socket.close();
  }
}

/** What a call costs more, in ms, if its result has the costliest schema: the median of the differences of calls by turns. */
async function costliest(config: string): Promise<number> {
  const server = await dev({ config });
  const plain = pairs.map(({ what, output }) => ({ what, schema: { type: "object" }, output }));
  const evil = await hostileServer([...pairs, ...plain]);
  try {
    const costs = [];
    for (const [n, { what }] of pairs.entries()) {
      const checked = await caller(server, evil.url, n);
      const unchecked = await caller(server, evil.url, pairs.length + n);
      const more = [];
      for (let i = 0; i < 13; i++) more.push((await turn(checked)) - (await turn(unchecked)));
      costs.push(median(more.slice(1)));
      console.error(`  ${what}: ${costs.at(-1)?.toFixed(1)} ms more than without a schema`);
      for (const socket of [checked, unchecked]) socket.close();
    }
    return Math.max(...costs);
  } finally {
    evil.stop();
    await server.stop();
  }
}

/** A conversation that uses one of the server's tools. */
async function caller({ url }: Dev, evil: string, n: number): Promise<Neighbour> {
  const socket = await Neighbour.open(url, "visitor", crypto.randomUUID());
  await socket.call("addMcpServer", { name: "evil", url: `${evil}/${n}` });
  return socket;
}

/** How long a turn with one call takes, in ms. */
function turn(socket: Neighbour): Promise<number> {
  const text = JSON.stringify([{ tool: "evil_look", input: {} }]);
  return socket.call("turn", { text, mode: "wait" });
}
