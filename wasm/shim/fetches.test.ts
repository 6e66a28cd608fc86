// What a request of an object holds.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Fetches, withSecret } from "./fetches.ts";

test("a secret stands behind the value of its header, and is encoded with the name in front of it", () => {
  assert.equal(withSecret("", "s"), "s");
  assert.equal(withSecret("Bearer ", "s"), "Bearer s");
  assert.equal(withSecret("Basic id:", "s"), "Basic aWQ6cw==");
  assert.equal(withSecret("Basic id:", "a b:ü"), `Basic ${btoa("id:a%20b%3A%C3%BC")}`);
});

test("a secret of a header without a name stands behind the body, escaped as in a form", async () => {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.end(`${request.headers["x-plain"]} ${Buffer.concat(parts)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  const fetches = new Fetches({ ID_SECRET: "a &=ü" }, (event) => {
    if (event.kind === "FetchChunk") text += new TextDecoder().decode(event.data ?? new Uint8Array());
    if (event.kind === "FetchEnded") resolve(text);
    if (event.kind === "FetchFailed") resolve(event.error);
  });
  fetches.start({
    kind: "Fetch",
    fetch: "f",
    method: "POST",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    header: [
      { name: "x-plain", value: "p", secret: "" },
      { name: "", value: "&client_secret=", secret: "ID_SECRET" },
    ],
    body: new TextEncoder().encode("client_id=ü"),
  });
  assert.equal(await promise, "p client_id=ü&client_secret=a%20%26%3D%C3%BC");
  server.close();
});
