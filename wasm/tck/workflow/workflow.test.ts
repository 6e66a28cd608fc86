// An agent's tool runs a Workflow on the local engine of wrangler: it is made once, answered by its output, terminated with
// its turn, and joined after workerd was killed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Dev, dev } from "../../../e2e/dev.ts";
import { kill } from "../../../e2e/workerd.ts";

const root = resolve(import.meta.dirname, "../../..");
let state: string;
let server: Dev;

before(async () => {
  const args = ["build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", "build/tck/workflow.wasm"];
  const env = { ...process.env, GOOS: "wasip1", GOARCH: "wasm" };
  execFileSync("go", [...args, "./wasm/tck/workflow"], { cwd: root, env });
  state = await mkdtemp(join(tmpdir(), "tributary-workflow-"));
  server = await dev({ config: join(import.meta.dirname, "wrangler.jsonc"), state });
});

let over = false;
after(async () => {
  over = true;
  await server?.stop();
  await rm(state, { recursive: true, force: true });
});

/** Resolves to what a look returns as soon as it returns something. It does not outlive the tests. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    if (over) throw new Error("the tests are over");
    const found = await look().catch(() => undefined); // the server may be starting again
    if (found !== undefined) return found;
    await pause(200);
  }
}

/** Makes a request. One that is under way when workerd is killed may never be answered, so it is given up. */
const request = (path: string) => fetch(server.url + path, { signal: AbortSignal.timeout(5_000) });

async function get<T>(path: string): Promise<T> {
  const response = await request(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<T>;
}

interface Part {
  toolCallId?: string;
  state?: string;
  output?: unknown;
  errorText?: string;
}

/** The tool call of a conversation, as it is stored. */
async function call(name: string): Promise<Part | undefined> {
  const messages = await get<{ parts: Part[] }[]>(`/agents/assistant/${name}/get-messages`);
  return messages.flatMap(({ parts }) => parts).find(({ toolCallId }) => toolCallId);
}

/** The outcome of the tool call, when it has one. */
const outcome = (name: string) =>
  until(async () => {
    const part = await call(name);
    return part?.state?.startsWith("output") ? part : undefined;
  });

const begun = (query: string) =>
  until(async () => {
    const ids = await get<string[]>(`/workflow/begun/${query}`);
    return ids.length > 0 ? ids : undefined;
  });
const status = async (query: string) => (await get<{ status: string }>(`/workflow/status/${query}`)).status;
const send = (query: string, word: string) => request(`/workflow/send/${query}?word=${word}`);

/** Asks the agent for a report. It resolves when the tool was called, to a function that stops the turn. */
async function ask(query: string): Promise<() => void> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/agents/assistant/${query}`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const messages = [{ id: "u1", role: "user", parts: [{ type: "text", text: `Research ${query}` }] }];
  const init = { method: "POST", body: JSON.stringify({ messages, trigger: "submit-message" }) };
  const called = new Promise<void>((resolve) => {
    socket.addEventListener("message", ({ data }) => String(data).includes("tool-input-available") && resolve());
  });
  socket.send(JSON.stringify({ type: "cf_agent_use_chat_request", id: "r1", init }));
  await called;
  return () => socket.send(JSON.stringify({ type: "cf_agent_chat_request_cancel", id: "r1" }));
}

test("a Workflow is made once, gets an event, and its output is the tool's", { timeout: 60_000 }, async () => {
  await ask("tides");
  const ids = await begun("tides");
  assert.equal(ids.length, 1);
  assert.match(String(ids[0]), /^t-[a-z2-7]{26}$/);
  assert.equal((await send("tides", "high")).status, 200);
  const { state, output } = await outcome("tides");
  assert.deepEqual({ state, output }, { state: "output-available", output: { query: "tides", word: "high" } });
});

test("a Workflow that fails fails the tool with its words", { timeout: 60_000 }, async () => {
  await ask("nothing");
  const { state, errorText } = await outcome("nothing");
  assert.equal(state, "output-error");
  assert.match(String(errorText), /the Workflow REPORTS failed: Error: there is nothing to report/);
});

test("a turn that is stopped terminates its Workflow", { timeout: 60_000 }, async () => {
  const stop = await ask("stopped");
  await begun("stopped");
  stop();
  await until(async () => ((await status("stopped")) === "terminated" ? true : undefined));
});

// The local engine does not go on by itself with what slept when it was killed, so the Workflow waits for an event. It also
// loses an instance that is killed before its first step has run, so each moment is one that the Worker stops at.
for (const [moment, query] of [
  ["before it is made", "before"],
  ["when it is made and nobody was told", "after"],
  ["while it waits", "waiting"],
] as const) {
  test(`after a kill ${moment} there is one instance`, { timeout: 120_000 }, async () => {
    await ask(query);
    if (query !== "waiting")
      await until(async () => (await get<string | null>(`/workflow/stopped/${query}`)) ?? undefined);
    if (query !== "before") await begun(query);
    kill(server, state);
    // As a browser that connects again: the local platform may lose an alarm with a kill.
    await until(async () => ((await request(`/agents/assistant/${query}/get-messages`)).ok ? true : undefined));
    const ids = await begun(query);
    await until(async () => ((await send(query, "late")).ok ? true : undefined));
    const { state: end, output } = await outcome(query);
    assert.deepEqual({ end, output }, { end: "output-available", output: { query, word: "late" } });
    assert.equal(new Set([...ids, ...(await begun(query))]).size, 1);
  });
}
