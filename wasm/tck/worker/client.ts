// A client with a socket to an object, which reads message by message.
import { once } from "node:events";
import type { Server } from "./server.ts";

/** Client queues the messages that it receives, so that none is lost between two calls. */
export class Client {
  readonly #socket: WebSocket;
  readonly #received: string[] = [];
  #waiting: ((text: string) => void) | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (this.#waiting) this.#waiting(String(data));
      else this.#received.push(String(data));
      this.#waiting = undefined;
    });
  }

  /** Resolves to the next message. */
  receive(): Promise<string> {
    const received = this.#received.shift();
    if (received !== undefined) return Promise.resolve(received);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Sends an order, and resolves to its result: the message after the one that repeats the order. */
  async request(text: string): Promise<string> {
    this.send(text);
    await this.receive();
    return this.receive();
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

export async function connect(server: Server, name: string): Promise<Client> {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/${name}`);
  const client = new Client(socket);
  await once(socket, "open");
  return client;
}
