// C4: what the published hook tells a page of servers.
import { cleanup } from "@testing-library/react";
import type { MCPServersState } from "agents";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { open } from "../client/tab";
import { freshName, Office } from "../workflow/office";
import { Browser } from "./browser";
import { type Demo, serve } from "./demo/server";
import { Guest } from "./guest";

let office: Office;
let demo: Demo;

beforeAll(async () => {
  demo = await serve({ pace: async () => {} });
  office = await Office.open({ config: inject("mcp") });
});

afterEach(cleanup);

afterAll(async () => {
  await office.close();
  await demo.stop();
});

/** A tab, and what its page was told of servers. */
async function watch(name: string, agent = "Visitor") {
  const told: MCPServersState[] = [];
  const tab = await open(name, { agent, host: office.url, socket: { onMcpUpdate: (mcp) => void told.push(mcp) } });
  const last = () => told.at(-1);
  /** The states that a server was in, each as often as it began. */
  const states = (id: string) =>
    told.map(({ servers }) => servers[id]?.state ?? "gone").filter((state, i, all) => state !== all[i - 1]);
  return { tab, told, last, states };
}

/** The order of states. A page is told of some of them, because changes that come soon are told together. */
const order = ["gone", "connecting", "authenticating", "connecting", "discovering", "ready", "gone"];

/** Whether states are some of others, in their order. */
function isPartOf(states: string[], all: string[]): boolean {
  const left = [...all];
  return states.every((state) => {
    const at = left.indexOf(state);
    left.splice(0, at + 1);
    return at >= 0;
  });
}

test("C4: the hook is told of a server that is added, signed in and removed, in two tabs and in this order", async () => {
  const name = freshName();
  const [one, two] = [await watch(name), await watch(name)];
  await one.tab.until(() => expect(one.last()).toMatchObject({ servers: {}, tools: [] }));
  const wanted = { name: "demo", url: demo.privateUrl };
  const { id } = (await one.tab.now().agent.call("addMcpServer", [wanted])) as { id: string };
  await one.tab.until(() => expect(one.last()?.servers[id]?.state).toBe("authenticating"));
  const link = one.last()?.servers[id]?.auth_url ?? "";
  expect(link).not.toBe("");

  const browser = new Browser();
  const consent = await browser.follow(await browser.leave(new URL(link, office.url).href));
  const back = await browser.press(consent);
  expect((await browser.follow(back.location ?? "")).status).toBe(200);
  await one.tab.until(() => expect(one.last()?.servers[id]?.state).toBe("ready"));
  expect(one.last()?.servers[id]).toMatchObject({
    name: "demo",
    server_url: demo.privateUrl,
    auth_url: null,
    error: null,
  });
  expect(one.last()?.tools.map((tool) => tool.name)).toContain("weather");
  expect(one.last()?.tools.every((tool) => tool.serverId === id)).toBe(true);
  expect(one.last()?.prompts.map((prompt) => prompt.name)).toEqual(["summary"]);
  expect(one.last()?.resources.map((resource) => resource.name)).toEqual(["notes"]);

  const late = await watch(name);
  await late.tab.until(() => expect(late.last()).toEqual(one.last()));
  await two.tab.until(() => expect(two.last()).toEqual(one.last()));
  await two.tab.now().agent.call("removeMcpServer", [id]);
  for (const { tab, last, states } of [one, two]) {
    await tab.until(() => expect(last()).toEqual({ servers: {}, tools: [], prompts: [], resources: [] }));
    expect(states(id)).toSatisfy((all: string[]) => isPartOf(all, order));
    expect(states(id)).toEqual(expect.arrayContaining(["authenticating", "ready", "gone"]));
  }
  expect(two.told).toEqual(one.told);
});

test("C4: the page of an agent without servers is told nothing of servers", async () => {
  const guest = await Guest.open(office.url, freshName(), "hermit");
  const told = () => guest.frames.filter((frame) => frame.includes("cf_agent_mcp_servers"));
  await guest.turn({ tool: "none", input: {} });
  expect(await guest.told()).toEqual([]);
  await expect(guest.add("demo", demo.url)).rejects.toThrow("addMcpServer");
  expect(told()).toEqual([]);
  guest.close();
});
