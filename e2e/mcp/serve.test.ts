// C8, and bad input: an agent as a server for other programs.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Counter, counter } from "../workflow/counter";
import { freshName, Office, until } from "../workflow/office";
import { ask, type Message, messages, send, without, withTasks } from "./modern";

let office: Office;
let server: Counter;
/** The paths whose requests are not answered, and what is called when their client has gone away. */
const held = new Map<string, () => void>();

beforeAll(async () => {
  server = await counter(({ path }, response) => {
    const left = held.get(path);
    if (left) response.on("close", left);
    else response.end(`delivered ${path}`);
  });
  office = await Office.open({ config: inject("mcp") });
});

afterAll(async () => {
  await office.close();
  server.stop();
});

const addressOf = (name: string) => `${office.url}/agents/courier/${name}/mcp`;
const deliver = (path: string, seconds: number) => ({
  name: "deliver",
  arguments: { url: `${server.url}${path}`, seconds },
});

test("C8: a program gets a handle for what takes an hour, and the result after a kill, once", async () => {
  const name = freshName();
  const begun = await ask(addressOf(name), "tools/call", deliver("/hour", 3600), { capabilities: withTasks });
  const { taskId } = begun.result as { taskId: string };
  expect(begun.result).toMatchObject({ resultType: "task", taskId: expect.any(String), status: "working" });
  const get = () => ask(addressOf(name), "tasks/get", { taskId }, { capabilities: withTasks });
  expect((await get()).result).toMatchObject({ status: "working" });
  office.kill();
  await office.ready();
  expect((await get()).result).toMatchObject({ taskId, status: "working" });
  expect(server.count("/hour")).toBe(0);
  await office.jump();
  const done = await until(async () => {
    const { result } = await get();
    expect(result).toMatchObject({ status: "completed" });
    return result;
  });
  expect(done).toMatchObject({ result: { content: [{ type: "text", text: "delivered /hour" }] } });
  // It is kept: another kill changes nothing, and nothing is delivered twice.
  office.kill();
  await office.ready();
  expect((await get()).result).toEqual(done);
  expect(server.count("/hour")).toBe(1);
});

test("C8: a program that takes no tasks gets progress, and its leaving cancels the call", async () => {
  const left = Promise.withResolvers<void>();
  held.set("/held", left.resolve);
  const client = new AbortController();
  const options = { capabilities: without, progressToken: "p", signal: client.signal };
  const response = await send(addressOf(freshName()), "tools/call", deliver("/held", 0), options);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const { value } = await messages(response).next();
  expect(value).toMatchObject({
    method: "notifications/progress",
    params: { progressToken: "p", message: "on its way" },
  });
  await until(() => expect(server.count("/held")).toBe(1));
  client.abort();
  await left.promise; // the tool's own request has ended too
});

test("C8: a task that is cancelled ends, and its work with it", async () => {
  const left = Promise.withResolvers<void>();
  held.set("/cancelled", left.resolve);
  const url = addressOf(freshName());
  const begun = await ask(url, "tools/call", deliver("/cancelled", 0), { capabilities: withTasks });
  const { taskId } = begun.result as { taskId: string };
  await ask(url, "tasks/cancel", { taskId }, { capabilities: withTasks });
  await left.promise;
  expect((await ask(url, "tasks/get", { taskId }, { capabilities: withTasks })).result).toMatchObject({
    status: "cancelled",
  });
});

/** Bodies that are no requests, and how they are refused. */
const bad: Record<string, { body: string; status: number; code: number }> = {
  "no JSON": { body: "{", status: 400, code: -32700 },
  "a batch": { body: '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', status: 400, code: -32600 },
  "a response": { body: '{"jsonrpc":"2.0","id":1,"result":{}}', status: 400, code: -32600 },
  "an id that is null": { body: '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', status: 400, code: -32600 },
  "an id that is a fraction": { body: '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', status: 400, code: -32600 },
  "no version": {
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{}}}',
    status: 400,
    code: -32602,
  },
};
for (const [what, { body, status, code }] of Object.entries(bad)) {
  test(`${what} is refused with ${code}`, async () => {
    const response = await fetch(addressOf("bad"), {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
        ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  });
}

/** Requests that ask for what is not there. */
const unknown: Record<string, { method: string; params: object; answer: Message }> = {
  "an unknown tool": { method: "tools/call", params: { name: "fly", arguments: {} }, answer: refusal(-32602) },
  "an unknown resource": { method: "resources/read", params: { uri: "agent://nothing" }, answer: refusal(-32602) },
  "an unknown task": { method: "tasks/get", params: { taskId: "none" }, answer: refusal(-32602) },
  "an unknown method": { method: "tools/fly", params: {}, answer: refusal(-32601) },
  "arguments that do not fit": {
    method: "tools/call",
    params: { name: "slow_compute", arguments: { seconds: "many" } },
    answer: { result: { isError: true, content: [{ type: "text", text: expect.stringContaining("seconds") }] } },
  },
};
function refusal(code: number): Message {
  return { error: { code, message: expect.stringMatching(/\w/) } };
}
for (const [what, { method, params, answer }] of Object.entries(unknown)) {
  test(`${what} is refused in words`, async () => {
    const url = `${office.url}/agents/everything/bad/mcp`;
    expect(await ask(url, method, params, { capabilities: withTasks })).toMatchObject(answer);
  });
}
