// Questions about a call: what they say, who answers them from where, and what the model is told. workerd is killed
// between a question and its answer.
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

import "github.com/tributary-agents/tributary/durable/agent"

var pay = agent.NewTool("pay", "Pays.", func(_ *agent.Context, in question) (string, error) { return "paid " + in.Query, nil }).
	NeedsApproval(nil).Requires("bank:pay").Approver("bank:approve").
	With(agent.Explain(func(in question) agent.Explanation {
		return agent.Explanation{Title: "Pay " + in.Query, Text: "At once.", Risk: agent.RiskHigh}
	}))

// Clerk is a helper that pays.
var Clerk = agent.Agent{Name: "Clerk", Helper: true, Tools: []agent.Tool{pay}}

var methods = map[string]agent.Method{"pendingApprovals": agent.PendingApprovals, "approve": agent.Approve, "deny": agent.Deny}
`;

let project: Project;
let state: string;
let server: Dev;

beforeAll(async () => {
  project = await Project.create();
  state = await mkdtemp(join(tmpdir(), "tributary-approvals-"));
  await project.write("agents/clerk.go", agents);
  await project.edit("agents/agents.go", [
    "chat.Class(Assistant, Providers...),",
    "chat.Class(Assistant, Providers...),\n\t\tchat.Class(Clerk, Providers...),",
  ]);
  await project.edit("agents/assistant.go", [
    'agent.AgentTool[question](Researcher, "research", "Has a researcher look something up and report."),\n\t},',
    'pay, agent.AgentTool[question](Clerk, "delegate", "Has a helper pay."),\n\t},\n\tMethods: methods,',
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
interface Pending {
  id: string;
  path: string[];
}

const calls = (parts: Part[]) => parts.filter(isToolUIPart);
const shown = (tab: Tab) => calls(tab.now().chat.messages.flatMap(({ parts }) => parts));
const pending = (tab: Tab) => tab.now().agent.call<Pending[]>("pendingApprovals");

/** Kills the server, and opens a tab when there is another one. */
async function inAnotherLife(name: string): Promise<Tab> {
  kill(server, state);
  const health = () => fetch(`${server.url}/health`).then((response) => response.status, String);
  await expect.poll(health, { ...waitOptions, interval: 100 }).toBe(200);
  return open(name, { host: server.url });
}

const explained = {
  title: "Pay ann",
  text: "At once.",
  risk: "high",
  scopes: ["bank:approve"],
  asked: expect.any(Number),
  expires: expect.any(Number),
};

test("a question explains itself, and the model is told why it was denied", async () => {
  const name = freshName();
  const first = await open(name, { host: server.url });
  await first.send("Pay ann");
  await first.until(() => expect(shown(first)).toMatchObject([{ approval: { descriptor: explained } }]));
  await first.until(() => expect(first.now().chat.status).toBe("ready"));
  const listed = await pending(first);
  expect(listed).toMatchObject([{ path: [], kind: "approval", tool: "pay", input: { query: "ann" }, ...explained }]);

  const second = await inAnotherLife(name);
  await second.until(() => expect(shown(second)).toMatchObject([{ approval: { descriptor: explained } }]));
  expect(await pending(second)).toEqual(listed);
  const id = listed[0]?.id ?? "";
  const denied = { id, status: "denied", approved: false, reason: "ann is paid" };
  expect(await second.now().agent.call("deny", [id, "ann is paid"])).toMatchObject(denied);
  await second.until(() => expect(second.text().join()).toContain("a person has denied this call: ann is paid"));
  const answered = { descriptor: explained, approved: false, reason: "ann is paid" };
  for (const tab of [first, second]) {
    await tab.until(() => expect(shown(tab)).toMatchObject([{ state: "output-denied", approval: answered }]));
    await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
  }
  expect(await pending(first)).toEqual([]);
  expect(await first.now().agent.call("approve", [id])).toMatchObject({ ...denied, status: "over" });
});

test("a helper's question is listed at the root, and answered by a request", async () => {
  const name = freshName();
  const first = await open(name, { host: server.url });
  await first.send("Delegate pay ann");
  await first.until(async () => expect(await pending(first)).toHaveLength(1));
  const listed = await pending(first);
  expect(listed).toMatchObject([{ path: [shown(first)[0]?.toolCallId], tool: "pay", ...explained }]);

  const second = await inAnotherLife(name);
  expect(await pending(second)).toEqual(listed);
  const url = `${server.url}/agents/assistant/${name}/approvals/${listed[0]?.id}`;
  const answer = (body: string) => fetch(url, { method: "POST", body }).then(async (r) => [r.status, await r.json()]);
  expect(await answer("yes")).toEqual([400, { error: expect.any(String) }]);
  expect(await answer('{"approved":true}')).toMatchObject([200, { status: "approved" }]);
  expect(await answer('{"approved":true}')).toMatchObject([409, { status: "over", approved: true }]);
  await second.until(() => expect(shown(second)).toMatchObject([{ state: "output-available", output: { ok: true } }]));
  await second.until(() => expect(second.text().join()).toContain("paid ann"));
  expect(await pending(second)).toEqual([]);
});
