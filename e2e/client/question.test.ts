// Code that asks a person: a tool of the root, and the program of a helper. The questions are shown and answered by the
// published client, which knows no tool `ask`. workerd is killed between each question and its answer, and the answer
// comes from a tab that was opened behind the kill.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanup } from "@testing-library/react";
import { isToolUIPart, type UIMessage } from "ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Dev } from "../dev";
import { Project } from "../project";
import { kill } from "../workerd";
import { freshName, open, waitOptions } from "./tab";

const agents = `package agents

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

type guests struct {
	Name  string \`json:"name"\`
	Count int    \`json:"count"\`
}

// ask asks whether to go on, and then who comes.
func ask(c *agent.Context, _ question) (string, error) {
	yes, err := agent.Ask[bool](c, agent.Question{Title: "Go on?"})
	if err != nil || yes.Denied {
		return "no", err
	}
	who, err := agent.Ask[guests](c, agent.Question{Title: "Who comes?", Default: guests{"Ada", 1}})
	return fmt.Sprintf("%s and %d more", who.Value.Name, who.Value.Count), err
}

// Surveyor is a program that asks.
var Surveyor = agent.Agent{Name: "Surveyor", Helper: true, Program: agent.NewProgram(ask)}
`;

let project: Project;
let state: string;
let server: Dev;

beforeAll(async () => {
  project = await Project.create();
  state = await mkdtemp(join(tmpdir(), "tributary-question-"));
  await project.write("agents/surveyor.go", agents);
  await project.edit("agents/agents.go", [
    "chat.Class(Assistant, Providers...),",
    "chat.Class(Assistant, Providers...),\n\t\tchat.Class(Surveyor, Providers...),",
  ]);
  await project.edit("agents/assistant.go", [
    'agent.AgentTool[question](Researcher, "research", "Has a researcher look something up and report."),',
    'agent.NewTool("research", "Asks.", ask), agent.AgentTool[question](Surveyor, "survey", "Has a helper ask."),',
  ]);
  server = await project.dev(state);
});

afterEach(cleanup);

afterAll(async () => {
  await server.stop();
  await project.remove();
  await rm(state, { recursive: true, force: true });
});

type Tab = Awaited<ReturnType<typeof open>>;
type Part = UIMessage["parts"][number];

const calls = (parts: Part[]) => parts.filter(isToolUIPart);
const shown = (tab: Tab) => calls(tab.now().chat.messages.flatMap(({ parts }) => parts));
const ofRuns = (tab: Tab) => calls(Object.values(tab.runs()).flatMap(({ parts }) => parts));

/** Kills the server, and opens a tab when there is another one. */
async function inAnotherLife(name: string, sub: { agent: string; name: string }[] = []): Promise<[Tab, string[]]> {
  kill(server, state);
  const health = () => fetch(`${server.url}/health`).then((response) => response.status, String);
  await expect.poll(health, { ...waitOptions, interval: 100 }).toBe(200);
  const refused: string[] = [];
  const onMessage = ({ data }: MessageEvent) => {
    if (String(data).includes('"type":"tributary_error"')) refused.push(String(data));
  };
  return [await open(name, { host: server.url, sub, socket: { onMessage } }), refused];
}

const form = {
  title: "Who comes?",
  default: { name: "Ada", count: 1 },
  schema: {
    type: "object",
    properties: { name: { type: "string" }, count: { type: "integer" } },
    required: ["name", "count"],
    additionalProperties: false,
  },
  asked: expect.any(Number),
  expires: expect.any(Number),
};

test("a tool of the root asks, and each question is answered in another tab", async () => {
  const name = freshName();
  const first = await open(name, { host: server.url });
  await first.send("Research otters");
  await first.until(() => expect(shown(first)[1]).toMatchObject({ type: "tool-ask", state: "approval-requested" }));
  await first.until(() => expect(first.now().chat.status).toBe("ready"));

  const [second] = await inAnotherLife(name);
  await second.until(() => expect(shown(second)[1]).toMatchObject({ input: { title: "Go on?" } }));
  const [, asked] = shown(second);
  const id = asked?.state === "approval-requested" ? asked.approval.id : "";
  expect(id).toBe(asked?.toolCallId);
  await second.do(({ chat }) => chat.addToolApprovalResponse({ id, approved: true }));
  await second.until(() =>
    expect(shown(second).slice(1)).toMatchObject([
      { type: "tool-ask", state: "output-available", output: true },
      { type: "tool-ask", state: "input-available", input: form },
    ]),
  );
  await second.until(() => expect(second.now().chat.status).toBe("ready"));

  const [third, refused] = await inAnotherLife(name);
  await third.until(() => expect(shown(third)).toHaveLength(3));
  const call = { tool: "ask", toolName: "ask", toolCallId: shown(third)[2]?.toolCallId ?? "" };
  await third.do(({ chat }) => chat.addToolOutput({ ...call, output: { name: "Bo" } }));
  await third.until(() => expect(refused.join()).toContain("count"));
  // The client goes on showing what it has sent, in this tab alone, until it is given another value.
  await third.until(() => expect(third.now().chat.status).toBe("ready"));
  await second.until(() => expect(shown(second)[2]).toMatchObject({ state: "input-available" }));
  await third.do(({ chat }) => chat.addToolOutput({ ...call, output: { name: "Bo", count: 2 } }));
  await third.until(() => expect(third.text().join()).toContain("Bo and 2 more"));
  for (const tab of [first, second, third]) {
    await tab.until(() => expect(shown(tab).map(({ state }) => state)).toEqual(Array(3).fill("output-available")));
    await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
    expect(shown(tab)).toMatchObject([{ output: "Bo and 2 more" }, { output: true }, { output: { name: "Bo" } }]);
    await tab.until(() => expect(tab.now().chat.messages).toEqual(third.now().chat.messages));
  }
});

test("a helper's program asks, at the root and in its own conversation", async () => {
  const name = freshName();
  const first = await open(name, { host: server.url });
  await first.send("Survey otters");
  await first.until(() => expect(ofRuns(first)).toMatchObject([{ type: "tool-ask", state: "approval-requested" }]));

  const [second, refused] = await inAnotherLife(name);
  await second.until(() => expect(ofRuns(second)).toMatchObject([{ input: { title: "Go on?" } }]));
  const { toolCallId = "" } = ofRuns(second)[0] ?? {};
  const yes = JSON.stringify({ type: "cf_agent_tool_approval", toolCallId, approved: true, autoContinue: true });
  await second.do(({ agent }) => agent.send(yes));
  await second.until(() =>
    expect(ofRuns(second)).toMatchObject([
      { type: "tool-ask", state: "output-available", output: true },
      { type: "tool-ask", state: "input-available", input: form },
    ]),
  );
  await second.do(({ agent }) => agent.send(yes));
  await second.until(() => expect(JSON.parse(refused[0] ?? "{}")).toMatchObject({ toolCallId, over: true }));

  const [run = ""] = Object.keys(second.runs());
  const [third] = await inAnotherLife(name, [{ agent: "Surveyor", name: run }]);
  await third.until(() => expect(shown(third)[1]).toMatchObject({ state: "input-available", input: form }));
  const call = { tool: "ask", toolName: "ask", toolCallId: shown(third)[1]?.toolCallId ?? "" };
  await third.do(({ chat }) => chat.addToolOutput({ ...call, output: { name: "Bo", count: 2 } }));
  for (const tab of [first, second]) {
    await tab.until(() => expect(tab.text().join()).toContain("Bo and 2 more"));
    await tab.until(() => expect(ofRuns(tab).map(({ state }) => state)).toEqual(Array(2).fill("output-available")));
    await tab.until(() => expect(Object.values(tab.runs())).toMatchObject([{ status: "completed" }]));
  }
  await third.until(() => expect(shown(third).map(({ state }) => state)).toEqual(Array(2).fill("output-available")));
});
