// Signals to a run, posted to the server of a project as a webhook would post them, and with the tokens of a deployment.
import { AgentClient } from "agents/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { Project } from "../project";
import { deployed, tokenFor } from "../token";
import { freshName, waitOptions } from "./tab";

/** A program that receives signals until one is named "end", and the methods that begin and show its runs. */
const clerk = `package agents

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Clerk is a program that writes down how many signals it is asked to.
var Clerk = agent.Agent{Name: "Clerk", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in count) ([]string, error) {
	var book []string
	for range in.N {
		s, err := flow.Receive[int](c, "entry")
		if err != nil {
			return nil, err
		}
		book = append(book, fmt.Sprint(s.ID, "=", s.Payload))
	}
	return book, nil
})}

type count struct {
	N int \`json:"n"\`
}

var methods = map[string]agent.Method{
	"begin": func(c *agent.Call) (any, error) {
		var id string
		var in count
		if err := c.Arg(0, &id); err != nil {
			return nil, err
		}
		if err := c.Arg(1, &in); err != nil {
			return nil, err
		}
		r, err := agent.StartDetached(&c.Conversation, Clerk, "notify", in, agent.RunID(id))
		return r.Status, err
	},
	"run": agent.InspectRun, "signal": agent.SendSignal, "cancelRun": agent.CancelRun,
}
`;

let project: Project;
let server: Dev;
const token = tokenFor(3_600);

beforeAll(async () => {
  project = await Project.create();
  await project.write("agents/clerk.go", clerk);
  await project.edit("agents/assistant.go", [
    "Tools: []agent.Tool{\n",
    'Methods: methods, Handlers: map[string]agent.RunHook{"notify": agent.Notify},\n\tTools: []agent.Tool{\n',
  ]);
  await project.edit("agents/agents.go", [
    "chat.Class(Assistant, Providers...),",
    "chat.Class(Assistant, Providers...),\n\t\tchat.Class(Clerk, Providers...),",
  ]);
  const { status, said } = await project.tool("build");
  if (status !== 0) throw new Error(said);
  server = await dev({ config: project.path("wrangler.jsonc"), vars: deployed });
});

afterAll(async () => {
  await server.stop();
  await project.remove();
});

/** A client of a conversation, which calls its methods. */
async function client(name: string): Promise<AgentClient> {
  const agent = new AgentClient({ agent: "Assistant", name, host: server.url, query: { token } });
  await agent.ready;
  return agent;
}

/** Posts a signal, and returns the status and the state that it is answered with. */
async function post(
  name: string,
  run: string,
  signal: string,
  body: string,
  header: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${server.url}/agents/assistant/${name}/runs/${run}/signals/${signal}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...header },
    body,
  });
  const text = await response.text();
  const wait = response.headers.get("retry-after");
  if (response.status === 429 && wait) {
    // A person may make 300 requests a second. A client waits for as long as it is told; 4 connections are told it.
    await new Promise((resolve) => setTimeout(resolve, Number(wait) * 1000));
    return post(name, run, signal, body, header);
  }
  return `${response.status} ${text.startsWith("{") ? (JSON.parse(text).state ?? "") : ""}`.trim();
}

test("1,000 signals from 4 connections, each sent twice, are received once each and in order", async () => {
  const name = freshName();
  const agent = await client(name);
  await agent.call("begin", ["r", { n: 1000 }]);
  const states = await Promise.all(
    [0, 1, 2, 3].map(async (connection) => {
      const seen: string[] = [];
      for (let i = 0; i < 250; i++) {
        const key = { "idempotency-key": `${connection}-${i}` };
        seen.push(await post(name, "r", "entry", String(i), key));
        seen.push(await post(name, "r", "entry", String(i), key));
      }
      return seen;
    }),
  );
  for (const seen of states) {
    expect(seen.filter((_, i) => i % 2 === 0).every((state) => /^200 (kept|delivered)$/.test(state))).toBe(true);
    expect(seen.filter((_, i) => i % 2 === 1)).toEqual(Array.from({ length: 250 }, () => "200 duplicate"));
  }
  const finished = { status: "completed", output: expect.any(Array) };
  await expect.poll(() => agent.call("run", ["r"]), waitOptions).toMatchObject(finished);
  const { output } = (await agent.call("run", ["r"])) as { output: string[] };
  expect(new Set(output).size).toBe(1000);
  for (const connection of [0, 1, 2, 3]) {
    const own = output.filter((line) => line.startsWith(`${connection}-`));
    expect(own).toEqual(Array.from({ length: 250 }, (_, i) => `${connection}-${i}=${i}`));
  }
  agent.close();
});

test("a run for which 250 signals of a person wait is full for that person", async () => {
  const name = freshName();
  const agent = await client(name);
  await agent.call("begin", ["r", { n: 1 }]);
  const connection = async () => {
    for (let i = 0; i < 50; i++) expect(await post(name, "r", "other", "1")).toBe("200 kept");
  };
  await Promise.all([0, 1, 2, 3, 4].map(connection));
  for (const signal of ["other", "entry"]) expect(await post(name, "r", signal, "1")).toBe("429 full");
  await agent.call("cancelRun", ["r"]);
  expect(await post(name, "r", "entry", "1")).toBe("409 over");
  await expect
    .poll(() => agent.call("run", ["r"]), waitOptions)
    .toMatchObject({ status: "aborted", droppedSignals: 250 });
  agent.close();
});

test("a signal that cannot be taken is refused with its reason", async () => {
  const name = freshName();
  const agent = await client(name);
  await agent.call("begin", ["r", { n: 1 }]);
  expect(await post(name, "nobody", "entry", "1")).toBe("404 unknown");
  expect(await post(name, "r", "entry", "{")).toBe("400");
  expect(await post(name, "r", "x".repeat(129), "1")).toBe("400");
  expect(await post(name, "r", "%07", "1")).toBe("400");
  expect(await post(name, "r", "entry", "1", { "idempotency-key": "x".repeat(129) })).toBe("400");
  expect(await post(name, "r", "entry", `"${"x".repeat(256 << 10)}"`)).toBe("413");
  expect(await post(name, "r", "entry", `"${"x".repeat(2 << 20)}"`)).toBe("413");
  expect(await post(name, "r", "entry", "1", { authorization: "Bearer nobody" })).toBe("401");
  const got = await fetch(`${server.url}/agents/assistant/${name}/runs/r/signals/entry?token=${token}`);
  expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await agent.call("signal", [{ run: "r", name: "other", payload: { a: 1 }, id: "s" }])).toEqual({
    state: "kept",
  });
  expect(await post(name, "r", "other", "1", { "idempotency-key": "s" })).toBe("200 duplicate");
  expect(await post(name, "r", "entry", "7")).toBe("200 delivered");
  await expect
    .poll(() => agent.call("run", ["r"]), waitOptions)
    .toMatchObject({ status: "completed", droppedSignals: 1 });
  expect(await post(name, "r", "entry", "1")).toBe("409 over");
  agent.close();
});
