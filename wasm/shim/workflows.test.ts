// What an object asks a Workflow, and how the platform's answers and errors come back.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, Event, Of } from "./abi.ts";
import { Fetches } from "./fetches.ts";

/** A binding of a Workflow that records what it is asked, with instances that refuse some of it. */
function workflow() {
  const asked: string[] = [];
  const note = (verb: string, given?: unknown) => void asked.push(`${verb} ${JSON.stringify(given ?? null)}`);
  const fail = (words: string) => Promise.reject(new Error(words));
  const handle = (id: string) => ({
    status: async () => ({ status: "complete", output: { id, words: "é" } }),
    sendEvent: async (event: unknown) => note("event", event),
    pause: () => fail("(instance.cannot_pause) it is over"),
    resume: async () => note("resume"),
    restart: async () => note("restart"),
    terminate: () => fail("(instance.cannot_terminate) it is over"),
  });
  const binding = {
    get: async (id: string) => (id === "gone" ? fail("(instance.not_found) no such instance") : handle(id)),
    create: async (options: { id: string }) => {
      if (options.id === "there") return fail("(instance.already_exists) taken");
      if (options.id === "broken") return fail("internal error");
      note("create", options);
    },
  };
  return { asked, binding };
}

/** Makes a fetch, and resolves to its events, a line each. */
async function fetched(url: string, body: unknown, env: Record<string, unknown>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const lines: string[] = [];
  let text = "";
  const fetches = new Fetches(env, (event: Event) => {
    if (event.kind === "FetchResponded") lines.push(`${event.status}`);
    if (event.kind === "FetchChunk") text += new TextDecoder().decode(event.data ?? new Uint8Array());
    if (event.kind === "FetchFailed") resolve(`unsent ${event.unsent}: ${event.error}`);
    if (event.kind === "FetchEnded") resolve([...lines, text].join(" "));
  });
  const data = new TextEncoder().encode(JSON.stringify(body));
  const command: Of<Command, "Fetch"> = { kind: "Fetch", fetch: "f", method: "POST", url, header: [], body: data };
  fetches.start(command);
  return promise;
}

test("each verb asks the binding, and its result comes back as JSON", async () => {
  const { asked, binding } = workflow();
  const ask = (verb: string, body: object) => fetched(`binding://REPORTS/workflow/${verb}`, body, { REPORTS: binding });
  assert.equal(await ask("create", { id: "t-1", params: { n: 1 } }), "200 {}");
  assert.equal(await ask("create", { id: "t-2", params: null, retention: { successRetention: 5 } }), "200 {}");
  assert.equal(await ask("status", { id: "t-1" }), '200 {"status":"complete","output":{"id":"t-1","words":"é"}}');
  assert.equal(await ask("event", { id: "t-1", type: "paid", payload: [1] }), "200 {}");
  assert.equal(await ask("resume", { id: "t-1" }), "200 {}");
  assert.equal(await ask("restart", { id: "t-1" }), "200 {}");
  assert.deepEqual(asked, [
    'create {"id":"t-1","params":{"n":1}}',
    'create {"id":"t-2","params":null,"retention":{"successRetention":5}}',
    'event {"type":"paid","payload":[1]}',
    "resume null",
    "restart null",
  ]);
});

test("the platform's refusals have statuses of their own", async () => {
  const { binding } = workflow();
  for (const [verb, id, want] of [
    ["status", "gone", /^404 {"error":"Error: \(instance.not_found\)/],
    ["terminate", "gone", /^404 /],
    ["create", "there", /^409 {"error":"Error: \(instance.already_exists\)/],
    ["terminate", "over", /^409 {"error":"Error: \(instance.cannot_terminate\)/],
    ["pause", "over", /^409 /],
    ["create", "broken", /^502 {"error":"Error: internal error"}/],
  ] as const) {
    assert.match(await fetched(`binding://REPORTS/workflow/${verb}`, { id }, { REPORTS: binding }), want, verb);
  }
});

test("a binding that is missing, or is no Workflow, is not asked", async () => {
  const { binding } = workflow();
  const model = { run: async (path: string) => new Response(path) };
  for (const env of [{}, { REPORTS: "text" }, { REPORTS: model }]) {
    const got = await fetched("binding://REPORTS/workflow/create", { id: "t" }, env);
    assert.equal(got, "unsent true: Error: there is no binding REPORTS");
  }
  for (const path of ["workflow/forget", "workflow/create/x", "workflow/__proto__", "create"]) {
    const got = await fetched(`binding://REPORTS/${path}`, { id: "t" }, { REPORTS: binding });
    assert.equal(got, "unsent true: Error: there is no binding REPORTS", path);
  }
  assert.equal(await fetched("binding://AI/workflow/x", {}, { AI: model }), "200 workflow/x");
});
