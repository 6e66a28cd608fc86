// A socket ends with its token, and the published client continues with another token.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act, cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { deployed, sign, tokenFor } from "../token";
import { freshName, open } from "./tab";

let server: Dev;
let state: string;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "tributary-"));
  server = await dev({ vars: deployed, state });
});
afterAll(async () => {
  await server.stop();
  await rm(state, { recursive: true });
});
afterEach(cleanup);

test("a connection is closed when its token ends, and another token opens it again", async () => {
  const name = freshName();
  const socket = { query: { token: tokenFor(600) } };
  const tab = await open(name, { host: server.url, socket });
  await tab.send("hi chunks=1");
  await tab.ready(1);
  const shown = tab.text();

  const renew = async (token: string) => {
    socket.query = { token };
    await act(async () => tab.rerender());
  };
  await renew(tokenFor(8));
  await tab.until(() => expect(tab.now().agent.identified).toBe(true));
  await tab.until(() => expect(tab.now().agent.connectionError).toMatchObject({ code: 4401 }));
  expect(tab.now().agent.connectionError?.reason).toBe("Unauthorized: the token has expired");
  expect(tab.text()).toEqual(shown);

  await renew(tokenFor(600));
  await tab.until(() => expect(tab.now().agent.identified).toBe(true));
  expect(tab.now().agent.connectionError).toBeNull();
  await tab.send("again chunks=1");
  await tab.ready(2);
  expect(tab.text()).toHaveLength(4);
  expect(tab.text().slice(0, 2)).toEqual(shown);
});

/** The files of objects, each of which has a database of its own. */
const objects = async () => (await readdir(state, { recursive: true })).filter((file) => /\/do\/.*sqlite$/.test(file));

test("no request without a good token makes an object, whatever its path, its method and what else it has", async () => {
  const other = sign({ exp: Math.ceil(Date.now() / 1000) + 600, agent: "assistant", name: "other" });
  const base64url = (text: string) => Buffer.from(text).toString("base64url");
  const names = ["walk", "a%20b", "%2e%2e"]; // worker/walk_test.go has the long list
  const paths = names.flatMap((name) => [
    ...["", "/get-messages", "/mcp", "/mcp/authorize", "/mcp/callback", "//mcp/authorize", "/mcp/authorize/"].map(
      (rest) => `/agents/assistant/${name}${rest}?server=s&ticket=t`,
    ),
    `/agents/mcp/callback?code=1&state=a.b.${base64url(`assistant/${name}`)}`,
    `/agents/mcp/callback?code=1&state=a.b.${base64url(`assistant/${name}`)}.${"A".repeat(22)}`,
  ]);
  const before = await objects();
  const headings: Record<string, string>[] = [
    { cookie: "tributary-link-a=x" },
    { authorization: `Bearer ${other}`, origin: server.url },
  ];
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];
  const asked = paths.flatMap((path) =>
    methods.flatMap((method) => headings.map((headers) => ({ path, method, headers }))),
  );
  const refused = asked.map(async ({ path, method, headers }) => {
    const { status } = await fetch(server.url + path, { method, headers, redirect: "manual" });
    expect(status, `${method} ${path} ${JSON.stringify(headers)}`).toBeGreaterThanOrEqual(400);
  });
  await Promise.all(refused);
  expect(asked.length).toBe(3 * 9 * 7 * 2);
  expect(await objects()).toEqual(before);
  // The count would show one: a token makes an object.
  await fetch(`${server.url}/agents/assistant/walk/get-messages`, {
    headers: { authorization: `Bearer ${tokenFor(600)}` },
  });
  expect((await objects()).length).toBe(before.length + 1);
});

test("messages are only read, and by everybody else's methods not at all", async () => {
  const headers = { authorization: `Bearer ${tokenFor(600)}` };
  const address = `${server.url}/agents/assistant/walk/get-messages`;
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const response = await fetch(address, { method, headers });
    expect([response.status, response.headers.get("allow")], method).toEqual([405, "GET, HEAD"]);
  }
  const [head, get] = [await fetch(address, { method: "HEAD", headers }), await fetch(address, { headers })];
  expect([head.status, await head.text(), get.status, await get.json()]).toEqual([200, "", 200, []]);
});
