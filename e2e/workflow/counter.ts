// A server that counts: what the steps of workflows ask for, and the tools that code calls.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request, as it came. */
export interface Asked {
  path: string;
  /** The Idempotency-Key, or "". */
  key: string;
  body: string;
}

/** A server, and what it was asked for. */
export interface Counter {
  url: string;
  asked: Asked[];
  /** How often a path was asked for. */
  count: (path: string) => number;
  stop: () => void;
}

/** Answers a request. */
export type Answer = (request: Asked, response: ServerResponse, counter: Counter) => void;

/** Starts a server on a free port of 127.0.0.1. */
export async function counter(answer: Answer): Promise<Counter> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      const one = { path: request.url ?? "", key: String(request.headers["idempotency-key"] ?? ""), body };
      asked.push(one);
      answer(one, response, self);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const self = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    count: (path: string) => asked.filter((one) => one.path === path).length,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return self;
}
