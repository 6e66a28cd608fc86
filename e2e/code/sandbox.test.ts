// What code can reach: nothing but its tools. What it replaces is its own alone, and its time and chance are the same when
// it is run again.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Counter, counter } from "../workflow/counter";
import { freshName, Office, until } from "../workflow/office";
import { Coder, directive, made, outputOf } from "./coder";

let office: Office;
let server: Counter;
/** The answers to these paths are kept back. */
const held = new Map<string, Promise<void>>();

beforeAll(async () => {
  server = await counter(async ({ path }, response) => {
    await held.get(path);
    response.end(path);
  });
  office = await Office.open({ config: inject("code") });
});

afterAll(async () => {
  await office.close();
  server.stop();
});

/** Tries what must not work. `leads` is an address of the counting server. */
const attempts = (leads: string) => ({
  fetch: `fetch("${leads}")`,
  WebSocket: `new WebSocket("${leads.replace("http", "ws")}")`,
  EventSource: `new EventSource("${leads}")`,
  XMLHttpRequest: `new XMLHttpRequest().open("GET", "${leads}")`,
  import: `import("x")`,
  "import of an address": `import("${leads}")`,
  "import of a module of the platform": `import("cloudflare:sockets")`,
  process: "process.env",
  caches: "caches.default",
  require: 'require("node:http")',
  "a function's constructor": `(async () => {}).constructor('return fetch("${leads}")')()`,
  "a function's constructor, with a module": `(async () => {}).constructor('return import("${leads}")')()`,
  "the global object": `globalThis.fetch("${leads}")`,
  "the global object of a function": `(function () { return this })().fetch("${leads}")`,
  eval: `(0, eval)('fetch("${leads}")')`,
});

test("B5: code reaches no network and nothing of the platform", async () => {
  const coder = await Coder.open(office, freshName());
  for (const [what, attempt] of Object.entries(attempts(`${server.url}/escaped`))) {
    const output = await coder.run(`const got = await ${attempt}; return "reached " + typeof got`);
    expect(output, what).toMatchObject({ status: "failed", error: expect.stringMatching(/./) });
  }
  const names = [
    "fetch",
    "WebSocket",
    "process",
    "caches",
    "require",
    "setTimeout",
    "WebAssembly",
    "Atomics",
    "std",
    "os",
  ];
  const kinds = `return [${names.map((name) => `typeof ${name}`).join()}]`;
  expect((await coder.run(kinds)).result).toEqual(names.map(() => "undefined"));
  // The server would have counted a request.
  expect((await coder.run(`return await tools.post({ url: "${server.url}/counted" })`)).result).toBe("/counted");
  expect(server.asked.map(({ path }) => path)).toEqual(["/counted"]);
  coder.close();
});

/** What code replaces. */
const vandals = {
  "JSON.stringify": "JSON.stringify = JSON.parse = () => 'harmed'",
  "Promise.prototype.then": "Promise.prototype.then = Promise.resolve = () => 'harmed'",
  "Object.prototype.toJSON": "Object.prototype.toJSON = String.prototype.toJSON = () => 'harmed'",
  "a setter of all objects":
    "for (const name of ['value', 'words', 'calls', 'lines', 'state', '0']) Object.defineProperty(Object.prototype, name, { set() { throw new Error('harmed') }, get() { return 'harmed' } })",
  "the methods of lists":
    "for (const name of ['push', 'map', 'slice', 'join', 'splice']) Array.prototype[name] = () => 'harmed'",
  "the methods of texts":
    "for (const name of ['concat', 'slice', 'indexOf', 'charCodeAt', 'toString', 'valueOf']) String.prototype[name] = () => 'harmed'",
  "how functions are called":
    "Function.prototype.call = Function.prototype.apply = Reflect.apply = Reflect.construct = () => 'harmed'",
  "how values are iterated and converted":
    "Array.prototype[Symbol.iterator] = Object.prototype[Symbol.toPrimitive] = () => { throw new Error('harmed') }",
  "how promises are made": "Promise.prototype.constructor = function () { throw new Error('harmed') }; Promise = 0",
  "Object.prototype.then": "Object.prototype.then = function () { throw new Error('harmed') }",
  "maps and errors": "Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => 'harmed'; Error = String",
  "what it is given": "tools = search = help = sleep = console = 0; globalThis.$run = 0",
};
const peaceful =
  'console.log("before"); const { words } = await tools.echo({ words: "unharmed" }); console.log("behind"); return { words }';

for (const [what, vandal] of Object.entries(vandals)) {
  test(`B6: code that replaces ${what} harms no other run, no log and no frame`, async () => {
    const name = freshName();
    const coder = await Coder.open(office, name);
    const logged = `console.log("before"); try { ${vandal} } catch {} console.log("behind"); return await tools.echo({ words: "own" })`;
    const message = await coder.shown(logged);
    const { status, logs } = outputOf(message);
    // What the code itself gets is its own affair.
    expect(status).toMatch(/^(completed|failed)$/);
    expect(logs).toEqual(["before", "behind"]);
    for (const { toolCallId } of made(message)) expect(toolCallId).toMatch(/^call_.+\/1$/);
    const unharmed = { status: "completed", result: { words: "unharmed" }, logs: ["before", "behind"] };
    expect(await coder.run(peaceful)).toEqual(unharmed);
    const other = await Coder.open(office, freshName());
    expect(await other.run(peaceful)).toEqual(unharmed);
    for (const frame of coder.frames) expect(() => JSON.parse(frame)).not.toThrow();
    expect(coder.frames.join()).not.toContain('\\"output\\":\\"harmed\\"');
    coder.close();
    other.close();
  });
}

/** Says what time it is and draws a number, in front of a request that a kill interrupts, and says both again. */
const draws = (path: string) => `
  const first = [Date.now(), new Date().toISOString(), Math.random(), Math.random()];
  await tools.repost({ url: "${server.url}${path}", words: JSON.stringify(first) });
  return { first, next: Date.now(), another: Math.random() };`;

test("B7: time and chance are the same when code is run again, and differ between two runs", async () => {
  const name = freshName();
  const seen: unknown[] = [];
  for (const path of ["/first", "/second"]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(path, promise);
    const before = await Coder.open(office, name);
    const turn = await before.say(directive(draws(path)));
    await until(() => expect(server.count(path)).toBe(1));
    before.close();
    office.kill();
    resolve();
    await office.ready();
    const behind = await Coder.open(office, name);
    const { result } = outputOf(await behind.over(turn));
    const { first, next, another } = result as {
      first: [number, string, number, number];
      next: number;
      another: number;
    };
    // The request was made again by the code that was run again.
    const bodies = server.asked.filter((asked) => asked.path === path).map(({ body }) => JSON.parse(body));
    expect(bodies).toEqual([first, first]);
    const [now, iso, chance, more] = first;
    expect(new Date(now).toISOString()).toBe(iso);
    expect(next).toBeGreaterThanOrEqual(now);
    expect(new Set([chance, more, another]).size).toBe(3);
    seen.push(now, chance, more, another);
    behind.close();
  }
  expect(new Set(seen).size).toBe(seen.length);
});
