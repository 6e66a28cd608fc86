// Requests and responses of Node's server in the form of the web.
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** requestOf makes a Request of one that has come in. It is aborted when its client goes away. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = "GET", url = "/" } = incoming;
  const body = method === "GET" || method === "HEAD" ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  return new Request(new URL(url, `http://${incoming.headers.host}`), {
    method,
    headers,
    body,
    duplex: "half",
    signal: left.signal,
  } as RequestInit);
}

/** respond sends a Response, its body as it comes. */
export function respond(outgoing: ServerResponse, response: Response): void {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    outgoing.end();
    return;
  }
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  outgoing.on("close", () => body.destroy());
  body.on("error", () => outgoing.destroy()); // the client has left
  body.pipe(outgoing);
}

/** page is a small page of HTML. */
export function page(title: string, body: string): Response {
  const head = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`;
  const style =
    "<style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui;max-width:28rem;margin:15vh auto;padding:0 1rem}button{font:inherit;padding:.5rem 1.25rem}</style>";
  return new Response(`${head}${style}<main><h1>${title}</h1>${body}</main></html>`, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Referrer-Policy": "no-referrer" },
  });
}

/** escaped is a text as HTML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
