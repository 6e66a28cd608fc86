// Other implementations of the protocol: as clients of an agent, and as servers of one.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freshName, Office } from "../workflow/office";
import { type Demo, serve } from "./demo/server";
import { Guest } from "./guest";
import { ask, clientInfo, revision, withTasks } from "./modern";

let office: Office;

beforeAll(async () => {
  office = await Office.open({ config: inject("mcp") });
});

afterAll(() => office.close());

const everything = () => new URL(`${office.url}/agents/everything/${freshName()}/mcp`);
const text = (words: string) => ({ content: [{ type: "text", text: words }] });

test("the inspector lists the tools, and calls one", async () => {
  const inspector = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/inspector");
  const program = join(inspector, "clients/launcher/build/index.js");
  const inspect = (...args: string[]) =>
    new Promise<string>((resolve) => {
      const all = [program, "--cli", everything().href, "--transport", "http", ...args];
      execFile(process.execPath, all, (_, out, err) => resolve(out + err));
    });
  const listed = JSON.parse(await inspect("--method", "tools/list")) as { tools: { name: string }[] };
  expect(listed.tools.map(({ name }) => name)).toContain("test_simple_text");
  const called = await inspect("--method", "tools/call", "--tool-name", "greet", "--tool-arg", "name=Ada");
  expect(JSON.parse(called)).toMatchObject(text("Hello, Ada!"));
});

test("the first SDK is a client, answers a question and is told of progress", async () => {
  const client = new OldClient(clientInfo, { capabilities: { elicitation: {} } });
  const answer = { action: "accept" as const, content: { confirm: true } };
  client.setRequestHandler(ElicitRequestSchema, () => answer);
  // Its own types do not agree on the id of a session, if that may not be undefined.
  await client.connect(new OldTransport(everything()) as Parameters<typeof client.connect>[0]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("greet");
  expect(await client.callTool({ name: "greet", arguments: { name: "Ada" } })).toMatchObject(text("Hello, Ada!"));
  const told: number[] = [];
  const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
  await client.callTool({ name: "test_tool_with_progress", arguments: {} }, undefined, { onprogress });
  expect(told.length).toBeGreaterThan(0);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  const sure = await client.callTool({ name: "confirm_delete", arguments: { filename: "a.txt" } });
  expect(sure).toMatchObject(text("deleted a.txt: true"));
  expect((await client.readResource({ uri: "test://static-text" })).contents).toHaveLength(1);
  await client.close();
});

for (const mode of ["auto", "legacy"] as const) {
  test(`the second SDK is a client, ${mode}, and answers a question`, async () => {
    const client = new Client(clientInfo, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Bo" } }));
    await client.connect(new StreamableHTTPClientTransport(everything()));
    expect(client.getProtocolEra()).toBe(mode === "auto" ? "modern" : "legacy");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("greet");
    expect(await client.callTool({ name: "greet", arguments: { name: "Ada" } })).toMatchObject(text("Hello, Ada!"));
    const asked = await client.callTool({ name: "test_input_required_result_elicitation", arguments: {} });
    expect(asked).toMatchObject(text("Hello, Bo!"));
    const { messages } = await client.getPrompt({ name: "test_simple_prompt" });
    expect(messages).toHaveLength(1);
    await client.close();
  });
}

test("the library of tasks follows a handle to its result, and to its failure", async () => {
  const url = everything();
  const client = new Client(clientInfo, { capabilities: withTasks, versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(url));
  const session = createTaskSessionFromClient(client, {
    endpointId: "everything",
    rawDispatch: async (request) => {
      const { method, params } = request as { method: string; params: object };
      const { result, error } = await ask(url.href, method, params, { capabilities: withTasks });
      if (error) return { kind: "error", error };
      return { kind: "result", result: result as never };
    },
    v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities: withTasks },
  });
  const slow = await session.callTool("slow_compute", { seconds: 1 });
  expect(slow.kind).toBe("task");
  const { outcome } = await slow.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject(text("computed for 1 seconds"));
  const failing = await (await session.callTool("failing_job", {})).settle();
  expect(failing.outcome).toMatchObject({ status: "completed", result: { isError: true } });
  await session.close();
  await client.close();
});

/** A server of the first SDK: it keeps sessions, and asks on the stream of a call. */
async function oldServer() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (incoming, outgoing) => {
    const known = sessions.get(String(incoming.headers["mcp-session-id"]));
    await (known ?? (await fresh())).handleRequest(incoming, outgoing);
  });
  async function fresh(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new OldServer({ name: "old", version: "1" });
    server.registerTool("echo", { description: "Repeats." }, async () => ({
      content: [{ type: "text", text: "heard" }],
    }));
    server.registerTool("ask", { description: "Asks." }, async () => {
      const requestedSchema = {
        type: "object" as const,
        properties: { seat: { type: "integer" as const, default: 7 } },
      };
      const { content } = await server.server.elicitInput({ message: "Which seat?", requestedSchema });
      return { content: [{ type: "text", text: `seat ${content?.seat}` }] };
    });
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  }
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    sessions,
    stop: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}

test("an agent uses a server of the first SDK, and begins anew when its session has ended", async () => {
  const server = await oldServer();
  const guest = await Guest.open(office.url, freshName());
  await guest.state(await guest.add("old", server.url), "ready");
  expect(await guest.turn({ tool: "old_echo", input: {} })).toMatchObject({ answer: '"heard"' });
  // The Visitor answers what is asked at once with what the server proposes.
  expect(await guest.turn({ tool: "old_ask", input: {} })).toMatchObject({ answer: '"seat 7"' });
  const [before] = server.sessions.keys();
  server.sessions.clear();
  expect(await guest.turn({ tool: "old_echo", input: {} })).toMatchObject({ answer: '"heard"' });
  expect([...server.sessions.keys()]).not.toContain(before);
  guest.close();
  server.stop();
});

test("an agent uses a server of the second SDK: its tools, its questions and its tasks", async () => {
  const demo: Demo = await serve({ pace: async () => {} });
  const guest = await Guest.open(office.url, freshName());
  await guest.state(await guest.add("demo", demo.url), "ready");
  expect((await guest.turn({ tool: "demo_weather", input: { city: "Oslo" } })).answer).toContain("Oslo");
  expect((await guest.turn({ tool: "demo_print", input: { title: "Emma" } })).answer).toContain("is printed");
  await guest.turn({ tool: "demo_book", input: { restaurant: "Da Gino" } });
  const [asked] = await guest.questions();
  guest.enter(asked?.id ?? "", { day: "Friday", guests: 4 });
  await guest.until(() => demo.office.bookings.length > 0);
  expect(demo.office.bookings).toEqual(["Da Gino, Friday, 4"]);
  expect(demo.office.calls).toEqual(["weather", "print", "book"]);
  guest.close();
  await demo.stop();
});
