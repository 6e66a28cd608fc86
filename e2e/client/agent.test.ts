import { cleanup } from "@testing-library/react";
import { AgentClient } from "agents/client";
import { afterEach, expect, test } from "vitest";
import { open, room, url } from "./tab";

afterEach(cleanup);

test("methods answer their caller", async () => {
  const tab = await open(room());
  await tab.send("hi chunks=1");
  await tab.ready(1);
  const usage = await tab.now().agent.call("usage", []);
  expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
  await expect(tab.now().agent.call("nope", [])).rejects.toThrow("Method nope does not exist");
});

test("state goes to the other tabs and to those who come later", async () => {
  const name = room();
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

test("an agent that does not exist is refused in the words of the published router", async () => {
  const response = await fetch(`${url}/agents/nobody/x`);
  expect([response.status, await response.text()]).toEqual([400, "Invalid request"]);
});

test("a ping is answered, and nothing else comes of it", async () => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/agents/assistant/${room()}?_pk=x`);
  const frames: string[] = [];
  const pong = new Promise<void>((resolve) => {
    socket.onmessage = ({ data }) => {
      frames.push(String(data));
      if (data === "pong") resolve();
    };
  });
  socket.onopen = () => socket.send("ping");
  await pong;
  expect(frames.filter((f) => f.includes("tributary_error"))).toEqual([]);
  socket.close();
});
