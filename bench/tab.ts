// A tab without a page: a socket that notes when things happen, and how much comes.
import { WebSocket } from "ws";

/** How long anything that is waited for may take, in ms. */
const patience = 180_000;

/**
 * A socket to a conversation that does not compress. workerd would compress every frame by itself, which takes ten times as long as
 * what is measured; in a deployment that is the edge's work and not the object's.
 */
export function connect(url: string, name: string): WebSocket {
  const address = `${url.replace("http", "ws")}/agents/assistant/${name}?_pk=${crypto.randomUUID()}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on("error", () => {}); // the close that follows is what is waited for
  return socket;
}

const isOfHelper = (frame: string): boolean => frame.includes('"agent-tool-event"');
const isIdentity = (frame: string): boolean => frame.includes('"cf_agent_identity"');

/** A connection to a conversation. Times are milliseconds of performance.now. */
export class Tab {
  /** The bytes that have come, and those that were sent. */
  readonly bytes = { down: 0, up: 0 };
  readonly #socket: WebSocket;
  #seen: (frame: string) => void = () => {};
  #closed: () => void = () => {};
  /** The answer that was heard last: a list that names it says that nothing crosses it. */
  #answer: object[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.bytes.down += Buffer.byteLength(String(data));
      this.#seen(String(data));
    });
    socket.addEventListener("close", () => this.#closed());
  }

  /** Connects, and resolves once the agent has said who it is, or another frame has come that fits. */
  static async open(url: string, name: string, fits = isIdentity): Promise<Tab> {
    const tab = new Tab(connect(url, name));
    await tab.frame(fits);
    return tab;
  }

  /** Waits for the first frame that fits. */
  frame(fits: (frame: string) => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error(`nothing came for ${patience / 1000} s`)), patience);
    this.#closed = () => reject(new Error("the socket closed"));
    this.#seen = (frame) => fits(frame) && resolve();
    return promise.finally(() => clearTimeout(late));
  }

  /** Asks for an answer; returns how long the first text and the end took, in ms. Every frame is shown with its time.
   * Where the agent begins a new life in the middle, its offer to go on is taken.
   * Before it stands what the client has in its list. */
  async ask(
    text: string,
    show: (frame: string, ms: number) => void = () => {},
    before: object[] = this.#answer,
  ): Promise<{ first: number; end: number }> {
    const id = crypto.randomUUID();
    const message = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] };
    const body = JSON.stringify({ messages: [...before, message], trigger: "submit-message" });
    const asked = performance.now();
    this.send({ type: "cf_agent_use_chat_request", id, init: { method: "POST", body } });
    let first = 0;
    await this.frame((frame) => {
      show(frame, performance.now() - asked);
      const answer = /\\"messageId\\":\\"([^"\\]+)/.exec(frame)?.[1];
      if (answer && !isOfHelper(frame)) this.#answer = [{ id: answer, role: "assistant", parts: [] }];
      const resuming = /"cf_agent_stream_resuming","id":"([^"]+)"/.exec(frame)?.[1];
      if (resuming) this.send({ type: "cf_agent_stream_resume_ack", id: resuming });
      if (first === 0 && frame.includes("text-delta")) first = performance.now() - asked;
      return frame.includes('"done":true');
    });
    return { first, end: performance.now() - asked };
  }

  /** Sends a ping, which the platform answers. Returns how long that took, in ms. */
  async ping(): Promise<number> {
    const asked = performance.now();
    this.#socket.send("ping");
    await this.frame((frame) => frame === "pong");
    return performance.now() - asked;
  }

  /** Sends a frame. */
  send(frame: object): void {
    const text = JSON.stringify(frame);
    this.bytes.up += Buffer.byteLength(text);
    this.#socket.send(text);
  }

  /** Says good-bye; whether the other side answers is not waited for. */
  close(): void {
    this.#socket.close();
  }
}
