// Helpers' runs as the published hook shows them: equal live, after a reload in the middle, and long afterwards.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanup } from "@testing-library/react";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { type Dev, dev } from "../dev";
import { endless } from "../patience";
import { freshName, mount, open } from "./tab";

afterEach(cleanup);

const hour = 3_600_000;

type Tab = Awaited<ReturnType<typeof open>>;

interface Scene {
  title: string;
  say: string;
  stop: boolean;
  /** The statuses of the runs. */
  status: string[];
}

const scenes: Scene[] = [
  { title: "compare", say: "tool=compare chunks=100 delay=20", stop: false, status: ["completed", "completed"] },
  { title: "research", say: "tool=research chunks=100 delay=20", stop: false, status: ["completed"] },
  { title: "a stopped compare", say: `tool=compare ${endless}`, stop: true, status: ["aborted", "aborted"] },
];

const runs = (tab: Tab) => Object.values(tab.runs()).toSorted((a, b) => a.order - b.order);
const texts = (tab: Tab) => runs(tab).map(({ parts }) => parts.map((p) => (p.type === "text" ? p.text : "")).join(""));

/** Waits until each helper of the scene has said a few words. */
const spoken = (tab: Tab, { status }: Scene) =>
  tab.until(() => {
    expect(texts(tab)).toHaveLength(status.length);
    for (const text of texts(tab)) expect(text).toContain("c3 ");
  });

/** Plays a scene in front of two tabs. The tab that has asked is reloaded in the middle. */
async function play(scene: Scene, name: string, host?: string): Promise<{ live: Tab; reloaded: Tab }> {
  const [live, asking] = [await open(name, { host }), await open(name, { host })];
  await asking.send(scene.say);
  await spoken(live, scene);
  await spoken(asking, scene);
  asking.unmount();
  const reloaded = await open(name, { host });
  await spoken(reloaded, scene);
  if (scene.stop) {
    expect(runs(live).map(({ status }) => status)).toEqual(scene.status.map(() => "running"));
    await reloaded.until(() => expect(reloaded.now().chat.status).toBe("streaming"));
    await reloaded.do(({ chat }) => chat.stop());
  }
  await live.until(() => expect(runs(live).map(({ status }) => status)).toEqual(scene.status));
  return { live, reloaded };
}

test.each(scenes)("$title: a reload in the middle and one afterwards show the same runs", async (scene) => {
  const name = freshName();
  const { live, reloaded } = await play(scene, name);
  await reloaded.until(() => expect(reloaded.runs()).toStrictEqual(live.runs()));
  const afterwards = await open(name);
  await afterwards.until(() => expect(afterwards.runs()).toStrictEqual(live.runs()));
});

test("a run has its class, its input, its tool call and its whole text", async () => {
  const name = freshName();
  const { live } = await play(scenes[0] as Scene, name);
  const said = Array.from({ length: 100 }, (_, i) => `c${i} `.padEnd(16, "x")).join("");
  const call = live.now().chat.messages[1]?.parts.find((part) => part.type === "tool-compare");
  const toolCallId = call && "toolCallId" in call ? call.toolCallId : "";
  const display = { name: "Research", icon: "search" };
  expect(live.now().helpers.getRunsForToolCall(toolCallId)).toMatchObject([
    {
      order: 0,
      agentType: "Researcher",
      display,
      inputPreview: { query: "HTTP/3 chunks=100 delay=20" },
      summary: said,
    },
    { order: 1, agentType: "Researcher", display, inputPreview: { query: "gRPC chunks=100 delay=20" }, summary: said },
  ]);
  expect(texts(live)).toEqual([said, said]);
});

test("all of fifty helpers under one call are shown again", async () => {
  const name = freshName();
  const live = await open(name);
  await live.send("tool=fan n=50 chunks=2");
  await live.ready(1);
  expect(runs(live).map(({ order, status }) => [order, status])).toEqual(
    Array.from({ length: 50 }, (_, i) => [i, "completed"]),
  );
  const reloaded = await open(name);
  await reloaded.until(() => expect(reloaded.runs()).toStrictEqual(live.runs()));
});

test("a helper's own conversation has the parts of its run, and goes on without changing it", async () => {
  const name = freshName();
  const parent = await open(name);
  await parent.send("tool=research chunks=100 delay=20");
  await spoken(parent, scenes[1] as Scene);
  const subAgent = runs(parent)[0]?.subAgent as { agent: string; name: string };
  const helper = await open(name, { sub: [subAgent] });
  expect(helper.now().agent).toMatchObject({ name: subAgent.name, agent: "researcher" });
  await parent.until(() => expect(runs(parent)[0]?.status).toBe("completed"));
  const before = structuredClone(parent.runs());
  await helper.until(() => expect(helper.now().chat.messages[1]?.parts).toEqual(before[subAgent.name]?.parts));

  await helper.send("and then chunks=2");
  await helper.until(() => expect(helper.text()).toHaveLength(4));
  await helper.until(() => expect(helper.now().chat.status).toBe("ready"));
  expect(helper.text()[3]).toContain("c1 ");
  expect(parent.runs()).toStrictEqual(before);
  const later = await open(name);
  await later.until(() => expect(later.runs()).toStrictEqual(before));
});

test("helpers of a conversation that was cleared while they worked are deleted, and others can start", async () => {
  const state = await mkdtemp(join(tmpdir(), "tributary-clear-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  await during(await dev({ state }), async ({ url }) => {
    const name = freshName();
    const tab = await open(name, { host: url });
    const compare = scenes[2] as Scene;
    await tab.send(compare.say);
    await spoken(tab, compare);
    expect(await helpersIn(state)).toHaveLength(2);
    const [subAgent] = runs(tab).map((run) => run.subAgent as { agent: string; name: string });
    const helper = await open(name, { host: url, sub: subAgent ? [subAgent] : [] });
    await tab.do(({ chat }) => chat.clearHistory());
    await tab.do(({ helpers }) => helpers.resetLocalState());
    await helper.until(() => expect(helper.now().agent.connectionError).toMatchObject({ code: 4404 }));
    expect(await tab.now().agent.call("runs", [])).toEqual([]);
    await tab.until(async () => expect(await helpersIn(state)).toEqual([]));
    await tab.send("tool=plan chunks=5");
    await tab.until(() => expect(runs(tab)).toMatchObject([{ agentType: "Planner", status: "completed" }]));
    expect(texts(tab)[0]).toContain("c4 ");
    expect(await helpersIn(state)).toHaveLength(1);
  });
});

/** The databases of all helpers, as workerd stores them. Each is named after its root, with a number. */
async function helpersIn(state: string): Promise<string[]> {
  return (await readdir(state, { recursive: true })).filter((file) => /\.\d+\.sqlite$/.test(file));
}

test("a helper that the conversation does not know is refused permanently", async () => {
  const tab = await mount({ name: freshName(), sub: [{ agent: "Researcher", name: "nobody" }] });
  await tab.until(() => expect(tab.now()?.chat.connectionError).toMatchObject({ code: 4404 }));
  expect(tab.now().agent.identified).toBe(false);
});

test("an hour later, in another life of the Worker, the runs are the same", async () => {
  const state = await mkdtemp(join(tmpdir(), "tributary-hour-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const seen: { name: string; runs: ReturnType<Tab["runs"]> }[] = [];
  await during(await dev({ state }), async ({ url }) => {
    for (const scene of scenes) {
      const name = freshName();
      const { live } = await play(scene, name, url);
      seen.push({ name, runs: live.runs() });
      cleanup();
    }
  });
  await during(await dev({ state, vars: { TRIBUTARY_CLOCK: `+${hour}` } }), async ({ url }) => {
    for (const { name, runs } of seen) {
      const tab = await open(name, { host: url });
      await tab.until(() => expect(tab.runs()).toStrictEqual(runs));
      await tab.send("What time is it? chunks=1");
      await tab.ready(1);
      expect(tab.now().chat.messages.at(-1)?.metadata).toMatchObject({
        createdAt: expect.closeTo(Date.now() + hour, -6),
      });
      tab.unmount();
    }
  });
});

/** Runs a function while a Worker runs. */
async function during<T>(server: Dev, work: (server: Dev) => Promise<T>): Promise<T> {
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
