// What the front door remembers of its answers, over the Go program that is deployed, with a clock that the tests move.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";
import { secret, sign } from "../e2e/token.ts";
import "../.tributary/wasm_exec.js";
import { FrontDoor } from "./frontdoor.ts";
import { answering, serve, variables } from "./serve.ts";

// The platform's types have no such constructor, because a Worker may not compile.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const module = new Module(readFileSync(join(import.meta.dirname, "../.tributary/frontdoor.wasm")));
const begin = Date.UTC(2026, 9, 1);

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: begin }));
afterEach(() => mock.timers.reset());

/** Agents that answer with their name and the query that they were asked with. */
class Namespace {
  idFromName(): never {
    throw new Error("not needed");
  }
  getByName(name: string) {
    return {
      fetch: async (request: Request) => {
        if (request.url.includes("whoami")) return new Response(request.headers.get("Tributary-Claims") ?? "nobody");
        return new Response(name + new URL(request.url).search);
      },
    };
  }
}

/** A front door that counts how often its Go program is asked. */
function open(vars: Record<string, string>) {
  const env = { Assistant: new Namespace(), ...vars };
  const door = new FrontDoor(module, variables(env));
  const count = { asked: 0 };
  const handle = answering(
    {
      ask: (asked) => {
        count.asked++;
        return door.ask(asked);
      },
    },
    env,
  );
  const get = async (path: string, init?: RequestInit) => {
    const response = await handle(new Request(`https://localhost/agents/assistant/${path}`, init));
    return `${response.status} ${await response.text()}`;
  };
  return { get, count };
}

const shut = { TRIBUTARY_TOKEN_SECRET: secret };

/** A token that lasts for so many seconds from the tests' beginning. */
const tokenFor = (seconds: number, more: object = { anyAgent: true, anyName: true }) =>
  sign({ exp: begin / 1000 + seconds, ...more });

test("an accepted request is remembered for ten seconds, whatever else its query says", async () => {
  const { get, count } = open(shut);
  const token = tokenFor(60);
  const until = `_until=${begin + 60_000}`;
  assert.equal(await get(`x?_pk=1&token=${token}`), `200 x?_pk=1&${until}`);
  assert.equal(await get(`x?token=${token}&_pk=2&_until=9`), `200 x?_pk=2&${until}`);
  mock.timers.tick(9_999);
  assert.equal(await get(`x?token=${token}`), `200 x?${until}`);
  assert.equal(count.asked, 1);
  mock.timers.tick(1);
  assert.equal(await get(`x?token=${token}`), `200 x?${until}`);
  assert.equal(count.asked, 2);
});

test("a token that expires is refused at its time, although it is remembered", async () => {
  const { get, count } = open(shut);
  const path = `x?token=${tokenFor(3)}`;
  assert.match(await get(path), /^200 x/);
  mock.timers.tick(2_999);
  assert.match(await get(path), /^200 x/);
  assert.equal(count.asked, 1);
  mock.timers.tick(1);
  assert.equal(await get(path), "401 Unauthorized: the token has expired");
});

test("a remembered answer is for its path and its token alone", async () => {
  const { get } = open(shut);
  const token = tokenFor(60, { agent: "assistant", name: "x" });
  assert.match(await get(`x?token=${token}`), /^200 x/);
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
  assert.match(await get("x", bearer(token)), /^200 x/);
  for (const [path, init, want] of [
    [`y?token=${token}`, {}, "403 Forbidden: the token does not open this agent"],
    [`x%20?token=${token}`, {}, "403 Forbidden: the token does not open this agent"],
    ["y", bearer(token), "403 Forbidden: the token does not open this agent"],
    [`x?token=${token}x`, {}, "401 Unauthorized: the token is not valid"],
    [`x?token=${token}`, bearer(`${token}x`), "401 Unauthorized: the token is not valid"],
    ["x", bearer(`${token}x`), "401 Unauthorized: the token is not valid"],
    ["x", {}, "401 Unauthorized: a token is required"],
    [`x#?token=${token}`, {}, "401 Unauthorized: a token is required"],
    [`x?_until=9&atoken=${token}`, {}, "401 Unauthorized: a token is required"],
  ] as const) {
    assert.equal(await get(path, init), want, path);
  }
});

test("an object is told the claims of the sender's own token, remembered or not, and nothing that a client says", async () => {
  const { get, count } = open(shut);
  const forged = { headers: { "tributary-claims": '{"sub":"eve","scopes":["pay"],"exp":0}' } };
  const exp = begin / 1000 + 60;
  const ada = tokenFor(60, { anyAgent: true, anyName: true, sub: "ada", scopes: ["pay", "ü"] });
  const ben = tokenFor(60, { anyAgent: true, anyName: true, sub: "ben" });
  for (const _ of Array(2)) {
    for (const init of [{}, forged]) {
      const paid = `200 {"sub":"ada","scopes":["pay","\\u00fc"],"exp":${exp},"sig":"${signature("x")}"}`;
      assert.equal(await get(`x?whoami&token=${ada}`, init), paid);
      assert.equal(
        await get(`x?whoami&token=${ben}`, init),
        `200 {"sub":"ben","scopes":[],"exp":${exp},"sig":"${signature("x")}"}`,
      );
      assert.equal(await get("x?whoami", init), "401 Unauthorized: a token is required");
    }
  }
  assert.equal(count.asked, 6);
});

test("in development an object is told no claims, whatever a client says", async () => {
  const { get } = open({ TRIBUTARY_ENV: "development" });
  const headers = { host: "localhost", "tributary-claims": "{}" };
  assert.equal(await get("x?whoami", { headers }), "200 nobody");
  assert.equal(await get("x?whoami", { headers: { host: "localhost" } }), "200 nobody");
});

test("in development a remembered answer is for its host and its origin alone", async () => {
  const { get } = open({ TRIBUTARY_ENV: "development" });
  const ask = (host: string, origin: string) => get("x", { headers: { host, origin } });
  assert.match(await ask("localhost", "https://localhost"), /^200 x/);
  assert.match(await ask("evil.example", "https://evil.example"), /^403 .*Host/);
  assert.match(await ask("localhost", "https://evil.example"), /^403 .*Origin/);
});

test("a refused request is not remembered", async () => {
  const { get, count } = open(shut);
  const token = sign({ nbf: begin / 1000 + 5, exp: begin / 1000 + 60, anyAgent: true, anyName: true });
  for (const _ of Array(3)) assert.equal(await get(`x?token=${token}`), "401 Unauthorized: the token is not valid");
  assert.equal(count.asked, 3);
  mock.timers.tick(5_000);
  assert.match(await get(`x?token=${token}`), /^200 x/);
});

test("a new isolate with another secret refuses what the last one has accepted", async () => {
  const path = `x?token=${tokenFor(60)}`;
  assert.match(await open(shut).get(path), /^200 x/);
  const changed = open({ TRIBUTARY_TOKEN_SECRET: `${secret}x` });
  assert.equal(await changed.get(path), "401 Unauthorized: the token is not valid");
});

test("the oldest of more than 500 answers is asked for again", async () => {
  const { get, count } = open(shut);
  const token = tokenFor(60);
  for (let n = 0; n <= 500; n++) await get(`${n}?token=${token}`);
  assert.equal(count.asked, 501);
  for (const n of [500, 1]) await get(`${n}?token=${token}`);
  assert.equal(count.asked, 501);
  await get(`0?token=${token}`);
  assert.equal(count.asked, 502);
});

/** The signature of an object's address. */
const signature = (name: string) =>
  createHmac("sha256", secret)
    .update(`address of an object\0assistant\0${name}`)
    .digest()
    .subarray(0, 16)
    .toString("base64url");

test("the signature of an object lets its link through without a token, and no other path or object", async () => {
  const { get, count } = open(shut);
  const nobody = `200 {"sub":"","scopes":[],"exp":0,"sig":"${signature("x")}"}`;
  for (const _ of Array(2)) {
    assert.equal(await get(`x/mcp/authorize?whoami&sig=${signature("x")}`), nobody);
    assert.match(await get(`y/mcp/authorize?whoami&sig=${signature("x")}`), /^403 .*this link is not good any more/);
    assert.match(await get(`x/mcp?whoami&sig=${signature("x")}`), /^401/);
    assert.match(await get("x/mcp/authorize?whoami"), /^403/);
    const foreign = { method: "POST", headers: { origin: "https://evil.example" } };
    assert.match(await get(`x/mcp/authorize?whoami&sig=${signature("x")}`, foreign), /^403 .*page of this host/);
  }
  assert.equal(count.asked, 9); // the accepted one is remembered
});

/** What a page is told of the agents. */
async function introduction(env: Record<string, unknown>, about?: unknown) {
  const asked = new Request("http://localhost/tributary.json", { headers: { host: "localhost" } });
  const response = await serve(module, env, about)(asked);
  return [response.status, await response.json(), response.headers.get("cache-control")];
}

const root = (agent: string, name: string) => ({
  agent,
  class: name,
  title: name,
  description: "",
  suggestions: [],
  methods: [],
});

test("a page is told the agents of the build that the environment has", async () => {
  const assistant = {
    ...root("assistant", "Assistant"),
    description: "ü, ".repeat(100),
    suggestions: ["Hi, there", "%2C"],
    methods: [],
  };
  const about = { version: "1.2.3", roots: [root("gone", "Gone"), assistant], features: [] };
  const env = { Assistant: new Namespace(), TRIBUTARY_DEV: "http://127.0.0.1:1" };
  const told = { ...about, roots: [assistant] };
  assert.deepEqual(await introduction(env, about), [200, told, "no-store"]);
  const development = { ...env, TRIBUTARY_ENV: "development" };
  const watched = { ...told, dev: "http://127.0.0.1:1" };
  assert.deepEqual(await introduction(development, about), [200, watched, "no-store"]);
});

test("a page is told the names of the bindings if there is no build", async () => {
  const [status, { version, ...told }] = (await introduction({ MyAgent: new Namespace() })) as [
    number,
    { version: string },
  ];
  assert.deepEqual([status, told], [200, { roots: [root("my-agent", "MyAgent")], features: [] }]);
  assert.match(version, /^\d+\.\d+\.\d+/);
});

test("a long description starts Go, and one that is too long is not answered", async () => {
  const about = (length: number) => ({
    roots: [{ ...root("assistant", "Assistant"), description: "d".repeat(length) }],
  });
  const answered = async (length: number) => {
    const handle = serve(module, { Assistant: new Namespace() }, about(length));
    return (await handle(new Request("http://localhost/tributary.json"))).status;
  };
  assert.equal(await answered(60_000), 200);
  assert.equal(await answered(70_000), 500);
});
