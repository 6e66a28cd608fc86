// A socket to an object, read message by message.
import { once } from "node:events";
import type { Server } from "./server.ts";

/** Nothing that an object says is lost between two questions. */
export class Line {
  readonly #socket: WebSocket;
  readonly #heard: string[] = [];
  #waiting: ((text: string) => void) | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (this.#waiting) this.#waiting(String(data));
      else this.#heard.push(String(data));
      this.#waiting = undefined;
    });
  }

  /** The next message. */
  hear(): Promise<string> {
    const heard = this.#heard.shift();
    if (heard !== undefined) return Promise.resolve(heard);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Says something, and resolves to what comes of it: the message behind the one that repeats the order. */
  async ask(text: string): Promise<string> {
    this.say(text);
    await this.hear();
    return this.hear();
  }

  say(text: string): void {
    this.#socket.send(text);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

export async function dial(server: Server, name: string): Promise<Line> {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/${name}`);
  const line = new Line(socket);
  await once(socket, "open");
  return line;
}
