// A front door with a login of its own (internal/login), with a clock that the tests move.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, before, beforeEach, mock, test } from "node:test";
import "../.tributary/wasm_exec.js";
import { secret } from "../e2e/token.ts";
import { FrontDoor } from "./frontdoor.ts";
import { answering, variables } from "./serve.ts";

const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const begin = Date.UTC(2026, 9, 1);
const day = 86_400_000;
let module: WebAssembly.Module;

before(() => {
  const env = { ...process.env, GOOS: "js", GOARCH: "wasm" };
  const cwd = import.meta.dirname;
  execFileSync("go", ["build", "-o", "../build/login.wasm", "./internal/login"], { cwd, env });
  module = new Module(readFileSync(join(cwd, "../build/login.wasm")));
});

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: begin }));
afterEach(() => mock.timers.reset());

/** An agent that answers with its name and the query that it was asked with. */
class Namespace {
  idFromName(): never {
    throw new Error("not needed");
  }
  getByName(name: string) {
    return { fetch: async (request: Request) => new Response(name + new URL(request.url).search) };
  }
}

/** A front door, and how often its Go program is asked. */
function open() {
  const env = {
    Assistant: new Namespace(),
    TRIBUTARY_TOKEN_SECRET: secret,
    LOGIN_KEY: "open, sesame",
    MODEL_KEY: "not for the front door",
  };
  assert.equal(variables(env).MODEL_KEY, undefined);
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
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    handle(new Request(`https://localhost${path}`, { method, headers: { host: "localhost", ...headers }, body }));
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await send("GET", path, headers);
    return `${response.status} ${await response.text()}`;
  };
  return { send, get, count };
}

/** The header for a name and a key. */
const basic = (name: string, key = "open, sesame") => ({ authorization: `Basic ${btoa(`${name}:${key}`)}` });

/** Logs in and returns the header with the cookie. */
async function login(send: ReturnType<typeof open>["send"], name: string): Promise<{ cookie: string }> {
  const response = await send("POST", "/login", basic(name));
  assert.equal(response.status, 204);
  const [given, ...more] = response.headers.getSetCookie();
  assert.match(given ?? "", /; Path=\/; Max-Age=86400; HttpOnly; Secure; SameSite=Lax$/);
  assert.deepEqual(more, []);
  return { cookie: `theme=dark, wide; ${given?.split(";", 1)[0]}` };
}

test("a person who has logged in is let in by the cookie, to the person's own conversation", async () => {
  const { send, get } = open();
  const alice = await login(send, "alice");
  assert.equal(await get("/me", alice), "200 alice");
  assert.equal(await get("/agents/assistant/alice", alice), `200 alice?_until=${begin + day}`);
  assert.equal(await get("/agents/assistant/bob", alice), "403 Forbidden: the token does not open this agent");
  assert.equal(await get("/agents/assistant/alice"), "401 Unauthorized: a token is required");
  assert.equal(await get("/me"), "401 Nobody has logged in\n");
});

test("what is remembered of one cookie is for that cookie alone, and not for another page", async () => {
  const { send, get, count } = open();
  const [alice, bob] = [await login(send, "alice"), await login(send, "bob")];
  const path = "/agents/assistant/alice";
  count.asked = 0;
  assert.match(await get(path, alice), /^200 alice/);
  assert.match(await get(path, alice), /^200 alice/);
  assert.equal(count.asked, 1);
  assert.match(await get(path, bob), /^403 /);
  assert.match(await get(path, { cookie: `${alice.cookie}x` }), /^401 /);
  assert.match(await get(path, { ...alice, origin: "https://evil.example" }), /^401 /);
  assert.match(await get(path, { ...alice, origin: "https://localhost" }), /^200 alice/);
  assert.match(await get(path), /^401 /);
});

test("a login ends with its day", async () => {
  const { send, get } = open();
  const alice = await login(send, "alice");
  mock.timers.tick(day - 1);
  assert.match(await get("/agents/assistant/alice", alice), /^200 alice/);
  mock.timers.tick(1);
  assert.equal(await get("/agents/assistant/alice", alice), "401 Unauthorized: the token has expired");
  assert.equal(await get("/me", alice), "401 The login is over\n");
});

test("a wrong key, and a body in place of one, log nobody in", async () => {
  const { send } = open();
  for (const [headers, body, want] of [
    [basic("alice", "open"), undefined, "401 The name or the key is wrong\n"],
    [basic(""), undefined, "401 The name or the key is wrong\n"],
    [{}, undefined, "401 The name or the key is wrong\n"],
    [{}, "name=alice&key=open, sesame", "413 The front door takes no body"],
    [basic("alice"), "body", "413 The front door takes no body"],
  ] as const) {
    const response = await send("POST", "/login", headers, body);
    assert.equal(`${response.status} ${await response.text()}`, want);
    assert.deepEqual(response.headers.getSetCookie(), []);
  }
  assert.equal((await send("GET", "/login", basic("alice"))).status, 405);
  assert.equal((await send("GET", "/elsewhere")).status, 404);
});
