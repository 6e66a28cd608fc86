// Turns that a page requests by a call of a method, and the answers to these calls.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { endless } from "../patience";
import { freshName, open } from "./tab";

afterEach(cleanup);

const said = (chunks: number) => Array.from({ length: chunks }, (_, i) => `c${i} `.padEnd(16, "x")).join("");

test("a call waits for its turn, which every tab sees", async () => {
  const name = freshName();
  const [a, b] = [await open(name), await open(name)];
  await a.send("one chunks=50 delay=20");
  // Two tabs have two sockets, so only what the second tab shows proves that the server has the first turn.
  await b.until(() => expect(b.text()).toContain("one chunks=50 delay=20"));
  const waits = b.now().agent.call("runTurn", [{ text: "two chunks=2", mode: "wait", id: "s1" }]);
  await expect(waits).resolves.toMatchObject({ submissionId: "s1", status: "completed", answer: said(2) });
  await a.until(() => expect(a.text()).toEqual(["one chunks=50 delay=20", said(50), "two chunks=2", said(2)]));
  await b.until(() => expect(b.text()).toEqual(a.text()));
});

test("a call streams its turn and ends with the outcome", async () => {
  const tab = await open(freshName());
  const chunks: { type: string; delta?: string }[] = [];
  const done = await new Promise((onDone, onError) => {
    const stream = { onChunk: (chunk: unknown) => void chunks.push(chunk as { type: string }), onDone, onError };
    void tab.now().agent.call("runTurn", [{ text: "chunks=30 delay=10", mode: "stream" }], { stream });
  });
  expect(done).toMatchObject({ status: "completed", answer: said(30) });
  expect(chunks.map((chunk) => chunk.delta ?? "").join("")).toBe(said(30));
  expect([chunks[0]?.type, chunks.at(-1)?.type]).toEqual(["start", "finish"]);
  await tab.until(() => expect(tab.text()).toEqual(["chunks=30 delay=10", said(30)]));
});

test("a submission is answered at once, joined, and cancelled", async () => {
  const tab = await open(freshName());
  const { agent } = tab.now();
  const asked = { text: endless, id: "s1", key: "k1" };
  await expect(agent.call("submitTurn", [asked])).resolves.toMatchObject({ submissionId: "s1", status: "pending" });
  await expect(agent.call("submitTurn", [asked])).resolves.toMatchObject({ status: "running", joined: true });
  await expect(agent.call("submitTurn", [{ ...asked, text: "other" }])).rejects.toThrow("something else was submitted");
  const waits = agent.call("runTurn", [{ ...asked, mode: "wait" }]);
  await tab.until(() => expect(tab.text()[1]).toContain("c1"));
  await agent.call("cancelSubmission", ["s1"]);
  await expect(waits).resolves.toMatchObject({ status: "aborted", answer: expect.stringContaining("c1") });
  await agent.call("cancelSubmission", ["s1"]);
  await expect(agent.call("submissions", [{ status: ["aborted"] }])).resolves.toMatchObject([{ submissionId: "s1" }]);
  await tab.until(() => expect(tab.now().chat.isStreaming).toBe(false));
});
