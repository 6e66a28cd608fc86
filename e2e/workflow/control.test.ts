// Workflows that are stopped and restarted, in tabs of the published client.
import { cleanup } from "@testing-library/react";
import { isToolUIPart } from "ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { open } from "../client/tab";
import { type Counter, counter } from "./counter";
import { freshName, hour, Office, type Run, until } from "./office";

let office: Office;
let server: Counter;

beforeAll(async () => {
  server = await counter(({ path }, response) => void response.end(path));
  office = await Office.open();
});

afterEach(cleanup);

afterAll(async () => {
  await office.close();
  server.stop();
});

type Tab = Awaited<ReturnType<typeof open>>;

const statuses = (tab: Tab) => Object.values(tab.runs()).map(({ status }) => status);

test("a run that is cancelled is aborted in every tab, with its helper, and its handler is told once", async () => {
  const name = freshName();
  const client = await office.connect(name);
  await client.begin("Boss", "boss", { ahead: hour });
  const sub = [{ agent: "Boss", name: "boss" }];
  const tabs = [
    await open(name, { host: office.url }),
    await open(name, { host: office.url }),
    await open(name, { host: office.url, sub }),
  ];
  for (const tab of tabs) await tab.until(() => expect(statuses(tab)).toEqual(["running"]));
  await client.call("cancel", "boss");
  for (const tab of tabs) await tab.until(() => expect(statuses(tab)).toEqual(["aborted"]));
  await until(async () => expect(await client.call("ends")).toEqual(["boss aborted"]));
  const signal = { run: "boss", name: "word", payload: 1, id: "s" };
  expect(await client.call("signal", signal)).toMatchObject({ state: "over" });
  office.kill();
  await office.ready();
  const later = await office.connect(name);
  expect(await later.call("signal", signal)).toMatchObject({ state: "over" });
  expect(await later.call("ends")).toEqual(["boss aborted"]);
  expect(await later.call("runs")).toMatchObject([{ runId: "boss", status: "aborted" }]);
  client.close();
  later.close();
});

test("a run with steps, a question, a kill and a restart is shown alike, live and after a reload", async () => {
  const name = freshName();
  const client = await office.connect(name);
  const live = await open(name, { host: office.url });
  await client.begin("Reporter", "r", { url: server.url });
  const question = () => live.runs().r?.parts.find(isToolUIPart);
  await live.until(() => expect(question()).toMatchObject({ type: "tool-ask", state: "input-available" }));

  office.kill();
  await office.ready();
  const second = await office.connect(name);
  const answer = { toolCallId: question()?.toolCallId, toolName: "ask", output: "Otters", autoContinue: true };
  second.send({ type: "cf_agent_tool_result", ...answer });
  const summary = "/part1/part2Otters:/part3/part4/part5";
  expect(await second.until("r", "completed")).toMatchObject({ summary });
  const counts = () => [1, 2, 3, 4, 5].map((part) => server.count(`/part${part}`));
  expect(counts()).toEqual([1, 1, 1, 1, 1]);

  await second.call("restart", "r", { from: "part 3" });
  expect(await second.until("r.1", "completed")).toMatchObject({ summary, restartOf: "r" });
  expect(await second.run("r")).toMatchObject({ status: "completed", restartedAs: "r.1" });
  expect((await second.call<Run[]>("runs")).map(({ runId }) => runId).toSorted()).toEqual(["r", "r.1"]);
  expect(counts()).toEqual([1, 1, 2, 2, 2]);

  await live.until(() => expect(statuses(live)).toEqual(["completed", "completed"]));
  const steps = (tab: Tab) =>
    tab
      .runs()
      .r?.parts.flatMap((part) => (part.type === "data-step" ? [part.data as { name: string; state: string }] : []));
  expect(steps(live)).toMatchObject([1, 2, 3, 4, 5].map((part) => ({ name: `part ${part}`, state: "completed" })));
  expect(question()).toMatchObject({ state: "output-available", output: "Otters" });
  const reloaded = await open(name, { host: office.url });
  await reloaded.until(() => expect(reloaded.runs()).toStrictEqual(live.runs()));
  client.close();
  second.close();
});
