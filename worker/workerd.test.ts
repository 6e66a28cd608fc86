// The front door in workerd: the built module, its bridge, and how both recover when Go exits.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { type Dev, dev } from "../e2e/dev.ts";
import about from "./testdata/about.json" with { type: "json" };

let worker: Dev;

before(async () => {
  const env = { ...process.env, GOOS: "js", GOARCH: "wasm" };
  const cwd = import.meta.dirname;
  for (const door of ["trapdoor", "login"]) {
    execFileSync("go", ["build", "-o", `../build/${door}.wasm`, `./internal/${door}`], { cwd, env });
  }
  worker = await dev({
    config: join(import.meta.dirname, "testdata/wrangler.jsonc"),
    vars: { TRIBUTARY_HOSTS: "box.local" },
  });
});

after(() => worker?.stop());

async function get(path: string, init?: RequestInit): Promise<string> {
  const response = await fetch(worker.url + path, init);
  return `${response.status} ${await response.text()}`;
}

/** Sends a request with headers that fetch does not allow, and resolves to the status and the body. */
function asking(path: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const asked = request(worker.url + path, { headers }, async (response) => {
    resolve(`${response.statusCode} ${await text(response)}`);
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}

/** Opens a socket, sends a word, and resolves to the reply, to the close, or to a failed handshake. */
function hello(path: string, word = "hello", headers: Record<string, string> = {}): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const options = { headers } as unknown as string[]; // Node takes headers, which the platform's types do not know
  const socket = new WebSocket(worker.url.replace("http", "ws") + path, options);
  socket.addEventListener("open", () => socket.send(word));
  socket.addEventListener("message", ({ data }) => {
    resolve(String(data));
    socket.close();
  });
  socket.addEventListener("close", ({ code, reason }) => resolve(`${code} ${reason}`));
  socket.addEventListener("error", () => resolve("handshake failed"));
  return promise;
}

const answers: [path: string, want: string][] = [
  ["/agents/assistant/x/get-messages", "200 x "],
  ["/agents/assistant/a%20b|c/x", "200 a%20b|c "],
  ["/agents/nobody/x", "400 Invalid request"],
  ["/agents/neighbour/x", "400 Invalid request"],
  ["/agents/assistant/%zz", "400 Invalid request"],
  ["/elsewhere", "404 Not found"],
  ["/agents/assistant/x?door=shut", "401 Unauthorized: a token is required"],
];
for (const [path, want] of answers) {
  test(`${path} answers ${want}`, async () => assert.equal(await get(path), want));
}

const sockets: [path: string, want: string][] = [
  ["/agents/assistant/a%20b", "a%20b hello"],
  ["/agents/assistant/x?door=shut", "4401 Unauthorized: a token is required"],
  ["/elsewhere", "4404 Not found"],
  ["/agents/nobody/x", "handshake failed"],
];
for (const [path, want] of sockets) {
  test(`a socket to ${path} gets ${want}`, async () => assert.equal(await hello(path), want));
}

test("in development a page of another site, or of a rebound name, reaches no object", async () => {
  const { host } = new URL(worker.url);
  const path = "/agents/assistant/x";
  assert.equal(await asking(path, { Host: host, Origin: worker.url }), "200 x ");
  assert.equal(await asking(path, { Host: host }), "200 x ");
  assert.match(await asking(path, { Host: host, Origin: "https://evil.example" }), /^403 .*Origin.*TRIBUTARY_HOSTS/);
  assert.match(await asking(path, { Host: "evil.example" }), /^403 .*Host.*TRIBUTARY_HOSTS/);
  const rebound = { Host: "evil.example:80", Origin: "http://evil.example:80" };
  assert.match(await asking(path, rebound), /^403 .*Host.*TRIBUTARY_HOSTS/);
  assert.equal(await asking(path, { Host: "box.local", Origin: "http://box.local" }), "200 x ");
});

test("an object learns the end of a request's authorization from the front door only", async () => {
  const env = { ...process.env, TRIBUTARY_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };
  const cwd = import.meta.dirname;
  const token = execFileSync("go", ["run", "../wasm/cmd/tributary", "token", "-agent", "assistant", "-name", "x"], {
    cwd,
    env,
  });
  const { exp } = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString()) as { exp: number };
  const opened = `/agents/assistant/x?until&door=shut&token=${String(token).trim()}`;
  assert.equal(await hello(opened, "until"), `until ${exp * 1000}`);
  assert.equal(await hello(`${opened}&_until=1`, "until"), `until ${exp * 1000}`);
  assert.equal(await get(`${opened}&_until=1`, { method: "POST", body: "body" }), `200 until ${exp * 1000} body`);
  assert.equal(await get("/agents/assistant/x?_until=1&until", { method: "POST", body: "body" }), "200 until  body");
  assert.equal(await hello("/agents/assistant/x?until&_until=1", "until"), "until ");
});

test("health answers without a token", async () => {
  assert.match(await get("/health?door=shut"), /^200 {"ok":true,"version":"\d[\w.-]+"}/);
});

test("a page is told what the build says of the agents that there are", async () => {
  const response = await fetch(`${worker.url}/tributary.json?door=login`);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), { ...about, roots: about.roots.slice(1) });
  assert.match(await get("/tributary.json?door=shut"), /^200 {"version":"\d.*"title":"Assistant","description":"",/);
  assert.equal(await get("/tributary.json?door=login", { method: "POST" }), "405 Method not allowed");
});

test("a login of one's own sets a cookie, and lets a socket in by it from its own page alone", async () => {
  const headers = { authorization: `Basic ${btoa("alice:open, sesame")}` };
  const entry = await fetch(`${worker.url}/login?door=login`, { method: "POST", headers });
  assert.equal(entry.status, 204);
  const [given] = entry.headers.getSetCookie();
  const cookie = String(given).split(";", 1)[0] ?? "";
  assert.equal(await asking("/me?door=login", { cookie }), "200 alice");
  const alice = "/agents/assistant/alice?door=login";
  assert.equal(await hello(alice, "hello", { cookie, origin: worker.url }), "alice hello");
  const evil = { cookie, origin: "http://evil.example" };
  assert.equal(await hello(alice, "hello", evil), "4401 Unauthorized: a token is required");
  assert.match(await hello("/agents/assistant/bob?door=login", "hello", { cookie }), /^4403 /);
  assert.equal(await hello("/login?door=login", "hello", { cookie }), "4404 Not found");
  assert.equal(
    await get("/login?door=login", { method: "POST", body: "name=alice" }),
    "413 The front door takes no body",
  );
});

test("a body reaches the object", async () => {
  const body = "x".repeat(1 << 20);
  assert.equal(await get("/agents/assistant/big", { method: "POST", body }), `200 big ${body}`);
});

test("an object's answer carries CORS and nothing of the decision", async () => {
  const { headers } = await fetch(`${worker.url}/agents/assistant/x`);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(headers.get("x-agent"), "yes");
  assert.deepEqual(
    [...headers.keys()].filter((key) => key.startsWith("tributary")),
    [],
  );
});

for (const trap of ["panic", "exit", "block", "sleep"]) {
  test(`${trap} costs the instance and one request`, async () => {
    const seen = Number((await get("/?door=trap")).replace("200 ", ""));
    assert.equal(await get("/?door=trap"), `200 ${seen + 1}`);
    assert.equal(await get(`/${trap}?door=trap`), "500 front door failed");
    assert.equal(await get("/?door=trap"), "200 1");
  });
}

test("an answer of one's own that cannot be sent, and a forged decision, cost nothing but themselves", async () => {
  const seen = Number((await get("/?door=trap")).replace("200 ", ""));
  assert.match(await get("/long?door=trap"), /^500 .*64 KiB/);
  assert.equal(await get("/forge?door=trap"), `200 ${seen + 2}`);
  assert.equal(await get("/?door=trap", { method: "POST", body: "body" }), "413 The front door takes no body");
  assert.equal(await get("/?door=trap", { method: "POST" }), `200 ${seen + 3}`);
});

test("one instance serves many requests at once, and its death costs one of them", async () => {
  const body = "y".repeat(10_000);
  const kinds: ((n: number) => Promise<void>)[] = [
    async (n) => assert.equal(await get(`/agents/assistant/${n}`), `200 ${n} `),
    async (n) => assert.equal(await get(`/agents/assistant/${n}`, { method: "POST", body }), `200 ${n} ${body}`),
    async (n) => assert.equal(await hello(`/agents/assistant/${n}`), `${n} hello`),
    async (n) => assert.match(await hello(`/agents/assistant/${n}?door=shut`), /^4401 /),
    async (n) => assert.match(await get(`/${n ? "" : "panic"}?door=trap`), n ? /^200 \d+$/ : /^500 /),
  ];
  let next = 0;
  const browser = async () => {
    for (let n = next++; n < 1200; n = next++) await kinds[n % kinds.length]?.(n % 24);
  };
  await Promise.all(Array.from({ length: 50 }, browser));
  assert.doesNotMatch(worker.log(), /different request|cross request|never generate a response|missed timeout/i);
});
