import { expect, test } from "vitest";
import { callState, callStates } from "./callstate";
import type { ToolPart } from "./part";
import { codeCall, made, nested } from "./sample";
import { openCallStateOf } from "./tool";

const ask: ToolPart = { ...made("running", 3), type: "tool-ask", input: { title: "Who?" } };
const answered: ToolPart = { ...made("done", 3), type: "tool-ask" };
const approvedBefore = { ...made("done", 4), approval: { id: "b", approved: true } } as ToolPart;

test.each<[string, boolean, ToolPart[]]>([
  ["running", true, []],
  ["running", true, [made("running"), made("done", 2)]],
  ["running", true, [made("approved")]],
  ["waiting for you", true, [made("running"), made("waiting", 2)]],
  ["waiting for you", false, [made("done"), made("waiting", 2)]],
  ["waiting for you", false, [made("approved"), made("waiting", 2)]],
  ["waiting for you", false, [ask]],
  ["goes on", false, [made("approved")]],
  ["goes on", false, [made("denied")]],
  ["goes on", false, [made("approved"), made("running", 2)]],
  ["goes on", false, [answered]],
  ["unfinished", false, []],
  ["unfinished", false, [made("done")]],
])("code is %s, live: %j, by its calls", (word, live, calls) => {
  expect(callState(nested(codeCall, ...calls), live).word).toBe(word);
});

test("a question below a call of the code is the code's", () => {
  const question: ToolPart = { ...made("running", 1, "c/1"), type: "tool-ask" };
  expect(callState(nested(codeCall, made("running"), question), false).word).toBe("waiting for you");
});

test("code that has ended does not wait, whatever its calls say", () => {
  const done: ToolPart = { ...codeCall, state: "output-available", output: 1 };
  expect(callState(nested(done, made("waiting")), false).word).toBe("done");
  const stopped: ToolPart = { ...codeCall, state: "output-error", errorText: "the turn was stopped" };
  expect(callState(nested(stopped, made("approved")), false).word).toBe("stopped");
});

test("code is stopped with its run, whatever its calls say", () => {
  const code = nested(codeCall, made("denied"), made("approved", 2), made("waiting", 3), made("running", 4));
  const aborted = openCallStateOf("aborted");
  expect(callState(code, false, aborted).word).toBe("stopped");
  expect(callStates(code, false, aborted).map(({ word }) => word)).toEqual(["denied", "stopped", "stopped", "stopped"]);
});

test.each<[string[], boolean, ToolPart[]]>([
  [["running", "done"], true, [made("running"), made("done", 2)]],
  [["unfinished", "done"], false, [made("running"), made("done", 2)]],
  [["approved, goes on", "done"], false, [made("approved"), made("done", 2)]],
  [["approved, goes on", "waiting for approval"], false, [made("approved"), made("waiting", 2)]],
  [["approved, goes on", "running"], false, [made("approved"), made("running", 2)]],
  [["running", "waiting for approval", "done"], false, [made("running"), made("waiting", 2), approvedBefore]],
  [["running", "denied"], false, [made("running"), made("denied", 2)]],
])("%j are the calls of code, live: %j", (words, live, calls) => {
  expect(callStates(nested(codeCall, ...calls), live).map(({ word }) => word)).toEqual(words);
});
