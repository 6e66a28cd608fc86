// A helper in the background, as the published hooks show it: its progress, live and replayed, and the messages about
// it in the chat.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { endless } from "../patience";
import { freshName, open } from "./tab";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Tab = Awaited<ReturnType<typeof open>>;

const hour = 3_600_000;
// A stage takes two seconds. A slow machine may be shown the second one first.
const stages = [
  { fraction: 1 / 3, phase: "searching" },
  { fraction: 2 / 3, phase: "reading" },
];
const first = { name: "searched", sequence: 0 };
const both = [first, { name: "read", sequence: 1 }];

const run = (tab: Tab) => tab.now().helpers.unboundRuns[0];

/** How far the run is in a tab. */
function stage(tab: Tab) {
  const { fraction, phase } = run(tab)?.progress ?? {};
  return { fraction, phase };
}

/** A tab's run, without the time at which the tab received its progress, which is by the tab's own clock. */
function shown(tab: Tab) {
  const { progress, ...rest } = run(tab) ?? expect.fail("there is no run in the background");
  return { ...rest, progress: { ...progress, at: undefined } };
}

/** Sets the clock of the pages wrong. */
function wrongBy(skew: number): void {
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + skew);
}

test.each([
  ["right", 0],
  ["slow", -hour],
  ["fast", hour],
])(
  "progress and milestones are shown alike live, after a reload in the middle and long afterwards, by a clock that is %s",
  async (_, skew) => {
    wrongBy(skew);
    const name = freshName();
    const live = await open(name);
    await live.send("tool=background tea chunks=100 delay=20");
    await live.until(() => expect(stages).toContainEqual(stage(live)));
    await live.until(() => expect(run(live)?.milestones?.[0]).toMatchObject(first));
    const inTheMiddle = await open(name);
    await inTheMiddle.until(() => expect(run(inTheMiddle)?.milestones?.[0]).toMatchObject(first));

    await live.until(() => expect(run(live)).toMatchObject({ status: "completed", milestones: both }));
    expect(run(live)?.progress).toEqual({
      fraction: 2 / 3,
      phase: "reading",
      message: "Reading two sources",
      at: expect.closeTo(Date.now(), -5),
    });
    await inTheMiddle.until(() => expect(shown(inTheMiddle)).toStrictEqual(shown(live)));
    const afterwards = await open(name);
    await afterwards.until(() => expect(shown(afterwards)).toStrictEqual(shown(live)));
    const parts = run(live)?.parts.map(({ type }) => type);
    expect(parts?.filter((type) => type === "data-agent-milestone")).toHaveLength(2);
  },
);

test("the chat announces a milestone and the end after the answer under way, which loses nothing", async () => {
  const name = freshName();
  const [asking, watching] = [await open(name), await open(name)];
  // The answer lasts longer than the helper needs for its first milestone.
  await asking.send("tool=background tea chunks=5 delay=20 pchunks=250");
  await watching.until(() => expect(watching.text()[1]).toContain("c3 "));
  const joined = await open(name);
  await joined.until(() => expect(joined.text()[1]).toContain("c3 "));
  const tabs = [asking, watching, joined];
  let seen = tabs.map(() => 0);
  await asking.until(() => {
    const lengths = tabs.map((tab) => tab.text().find((text) => text.startsWith("c0 "))?.length ?? 0);
    for (const [i, length] of lengths.entries()) expect.soft(length).toBeGreaterThanOrEqual(seen[i] ?? 0);
    seen = lengths;
    expect(asking.text()).toContainEqual(expect.stringContaining("c249 "));
  });
  for (const tab of tabs)
    await tab.until(() => {
      expect(tab.roles()).toEqual(["user", "assistant", "assistant", "user", "assistant"]);
      expect(tab.text()[1]).toContain("c249 ");
      expect(tab.text()[2]).toContain("Found two sources on tea");
      expect(tab.text()[3]).toContain("(The Researcher at work in the background has finished.)");
      expect(tab.text()[4]).toContain("so I pass this on as it is.");
      expect(tab.now().chat).toMatchObject({ status: "ready", isServerStreaming: false });
    });
  const afterwards = await open(name);
  await afterwards.until(() => expect(afterwards.text()).toEqual(asking.text()));
});

test("background runs are listed and cancelled by a call, and no tab is told what it knows already", async () => {
  const name = freshName();
  const [asking, other] = [await open(name), await open(name)];
  await asking.send(`tool=background tea ${endless}`);
  await asking.until(() => expect(run(asking)).toMatchObject({ progress: { phase: "reading" } }));
  const id = run(asking)?.runId ?? "";
  const list = () => other.now().agent.call("runs", [{ detached: true, status: ["running"] }]);
  expect(await list()).toMatchObject([{ runId: id, detached: true, progress: { phase: "reading" } }]);
  expect((await other.now().agent.call<{ milestones: unknown[] }>("run", [id])).milestones[0]).toMatchObject(first);
  await other.now().agent.call("cancelRun", [id]);
  for (const tab of [asking, other]) await tab.until(() => expect(run(tab)?.status).toBe("aborted"));
  expect(await list()).toEqual([]);
  await other.send("Is it gone? chunks=1");
  await other.until(() => {
    expect(other.roles()).toEqual(["user", "assistant", "assistant", "user", "assistant"]);
    expect(other.text()[4]).toContain("c0 ");
  });
  expect(other.text()[2]).toContain("Found two sources");
});
