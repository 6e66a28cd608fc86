// Answers and signals that come too early or too often.
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshName, Office, until } from "./office";

interface Question {
  id: string;
  title: string;
}

let office: Office;

beforeAll(async () => {
  office = await Office.open();
});

afterAll(() => office.close());

test("an early signal is kept, and a second approval of a question is no approval of the next", async () => {
  const name = freshName();
  const client = await office.connect(name);
  const open = async (title: string) => {
    await until(async () => expect(await client.call("questions")).toMatchObject([{ title }]));
    return ((await client.call<Question[]>("questions"))[0] as Question).id;
  };
  const post = async (id: string) => {
    const url = `${office.url}/agents/assistant/${name}/approvals/${id}`;
    const response = await fetch(url, { method: "POST", body: '{"approved":true}' });
    return [response.status, await response.json()];
  };
  await client.begin("Doorman", "d");
  const ann = await open("May Ann come in?");
  const signal = { run: "d", name: "word", payload: "early", id: "s" };
  expect(await client.call("signal", signal)).toEqual({ state: "kept" });
  expect(await post(ann)).toMatchObject([200, { status: "approved" }]);
  const bo = await open("May Bo come in?");
  expect(await post(ann)).toMatchObject([409, { status: "over" }]);
  expect(await client.call("approve", ann)).toMatchObject({ status: "over" });
  expect(await open("May Bo come in?")).toBe(bo);
  expect(await client.run("d")).toMatchObject({ status: "waiting" });
  expect(await client.call("approve", bo)).toMatchObject({ status: "approved" });
  expect(await client.until("d", "completed")).toMatchObject({ summary: "true true early" });
  expect(await client.call("questions")).toEqual([]);
  client.close();
});
