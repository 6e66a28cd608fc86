// @vitest-environment jsdom
import { expect, test } from "vitest";
import { linkOf, needsPerson, parseServers } from "./servers";

const demo = {
  name: "demo",
  server_url: "http://127.0.0.1:8990/mcp",
  auth_url: null,
  state: "ready",
  error: null,
  instructions: "Try me.",
  capabilities: {},
};
const told = {
  servers: {
    b: { ...demo, left_out: [{ name: "upload", reason: "another tool has its name" }] },
    a: { ...demo, name: "bank", state: "authenticating", auth_url: "/agents/a/b/mcp/authorize?server=a" },
  },
  tools: [
    { serverId: "b", name: "weather", description: "Says the weather.", inputSchema: {} },
    { serverId: "b", name: "note", changed: true, title: "Notes", adjusted: ["items are added"] },
    { serverId: "gone", name: "x" },
  ],
  prompts: [{ serverId: "b", name: "summary" }],
  resources: [{ serverId: "b", uri: "demo://notes" }],
};

test("servers are ordered by their names, each with what it offers", () => {
  const [bank, server] = parseServers(told);
  expect(bank).toMatchObject({ id: "a", name: "bank", tools: [], state: { tone: "wait" } });
  expect(bank?.signIn).toBe(`${location.origin}/agents/a/b/mcp/authorize?server=a`);
  expect(server).toEqual({
    id: "b",
    name: "demo",
    url: "http://127.0.0.1:8990/mcp",
    state: { word: "ready", tone: "good" },
    error: "",
    signIn: "",
    instructions: "Try me.",
    tools: [
      { name: "weather", description: "Says the weather.", changed: false, adjusted: [] },
      { name: "note", description: "Notes", changed: true, adjusted: ["items are added"] },
    ],
    prompts: [{ name: "summary", description: "", changed: false, adjusted: [] }],
    resources: [{ name: "demo://notes", description: "", changed: false, adjusted: [] }],
    leftOut: [{ name: "upload", reason: "another tool has its name" }],
  });
});

test.each([undefined, null, 1, {}, { servers: [], tools: {} }])("%j has no servers", (other) => {
  expect(parseServers(other)).toEqual([]);
});

test("a server that waits for another person does not wait for this one", () => {
  const [server] = parseServers({ servers: { a: { ...demo, state: "authenticating", auth_url: null } } });
  expect(server).toMatchObject({ signIn: "", state: { word: "waiting for another person to sign in", tone: "calm" } });
});

test("a state that this page does not know looks calm", () => {
  const [server] = parseServers({ servers: { a: { ...demo, state: "dancing" } } });
  expect(server?.state).toEqual({ word: "not asked yet", tone: "calm" });
});

test("a server needs somebody when it has failed, or wants a person to sign in", () => {
  const of = (fields: object) => parseServers({ servers: { a: { ...demo, ...fields } } }).some(needsPerson);
  expect(of({})).toBe(false);
  expect(of({ state: "connecting" })).toBe(false);
  expect(of({ state: "failed", error: "no" })).toBe(true);
  expect(of({ state: "authenticating", auth_url: "/x" })).toBe(true);
});

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", 1, null, "https://["])(
  "%j is no link",
  (value) => {
    expect(linkOf(value)).toBe("");
  },
);
