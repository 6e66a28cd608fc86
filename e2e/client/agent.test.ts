import { cleanup } from "@testing-library/react";
import { AgentClient } from "agents/client";
import { afterEach, expect, test } from "vitest";
import { freshName, open, url } from "./tab";

afterEach(cleanup);

test("methods answer only their caller", async () => {
  const name = freshName();
  const tab = await open(name);
  const other = await open(name);
  const heard: string[] = [];
  await other.do(({ agent }) => agent.addEventListener("message", ({ data }) => heard.push(String(data))));
  await tab.send("hi chunks=1");
  await tab.ready(1);
  const [told] = tab.now().chat.messages.flatMap(({ metadata }) => usageIn(metadata));
  expect(told?.inputTokens).toBeGreaterThan(0);
  expect(told?.outputTokens).toBeGreaterThan(0);
  expect(await tab.now().agent.call("usage", [])).toMatchObject({ ...told });
  await expect(tab.now().agent.call("nope", [])).rejects.toThrow("Method nope does not exist");
  expect(await other.now().agent.call("usage", [])).toMatchObject({ ...told });
  expect(heard.filter((frame) => frame.includes('"rpc"'))).toHaveLength(1); // one answer, to this call
});

/** The usage of an answer, as its message shows it. */
function usageIn(metadata: unknown): { inputTokens: number; outputTokens: number }[] {
  const { usage } = Object(metadata);
  return usage === undefined ? [] : [usage];
}

test("state is sent to the other tabs and to tabs that connect later", async () => {
  const name = freshName();
  const seen: unknown[] = [];
  const tab = await open(name);
  const other = new AgentClient<{ n: number }>({
    agent: "Assistant",
    name,
    host: url,
    onStateUpdate: (s, source) => void seen.push([s, source]),
  });
  await other.ready;
  await tab.do(({ agent }) => agent.setState({ n: 1 }));
  await tab.until(() => expect(seen).toEqual([[{ n: 1 }, "server"]]));
  const late = new AgentClient<{ n: number }>({
    agent: "Assistant",
    name,
    host: url,
    onStateUpdate: (s) => void seen.push(s),
  });
  await late.ready;
  expect(seen.at(-1)).toEqual({ n: 1 });
  other.close();
  late.close();
});

test("an agent that does not exist is refused with the text of the published router", async () => {
  const response = await fetch(`${url}/agents/nobody/x`);
  expect([response.status, await response.text()]).toEqual([400, "Invalid request"]);
});

test("a ping is answered, and has no other effect", async () => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/agents/assistant/${freshName()}?_pk=x`);
  const frames: string[] = [];
  /** Waits for the frame that contains a text, and returns all frames up to it. */
  const upTo = (words: string) =>
    new Promise<string[]>((resolve) => {
      const look = () => {
        const at = frames.findIndex((frame) => frame.includes(words));
        if (at >= 0) resolve(frames.splice(0, at + 1));
      };
      socket.onmessage = ({ data }) => {
        frames.push(String(data));
        look();
      };
      look();
    });
  await upTo("cf_agent_mcp_servers"); // the last frame of the greeting
  socket.send("ping");
  expect(await upTo("pong")).toEqual(["pong"]);
  // If the ping has caused any frames, they come before the answer to this call.
  socket.send(JSON.stringify({ type: "rpc", id: "c1", method: "usage", args: [] }));
  expect(await upTo("c1")).toHaveLength(1);
  socket.close();
});
