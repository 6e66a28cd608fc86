import { expect, test } from "vitest";
import { actionState, parseActions } from "./actions";

const pay = { id: "3", tool: "pay", key: "pay:A:120", state: "done", begunAt: 5, preview: '{"receipt":"r1"}' };

test("a page of the ledger is read, without what is of another form", () => {
  const answer = { actions: [{ ...pay, by: "ada", approvedBy: "bob" }, { ...pay, state: "odd" }, 1], cursor: "3" };
  expect(parseActions(answer)).toEqual({
    actions: [
      {
        id: "3",
        tool: "pay",
        key: "pay:A:120",
        state: "done",
        by: "ada",
        approvedBy: "bob",
        begunAt: 5,
        outcome: '{"receipt":"r1"}',
      },
    ],
    cursor: "3",
  });
  expect(parseActions(null)).toEqual({ actions: [], cursor: "" });
});

test("an action that has failed says why", () => {
  const [failed] = parseActions({ actions: [{ ...pay, state: "failed", error: "the account is empty" }] }).actions;
  expect(failed?.outcome).toBe("the account is empty");
  expect(failed && actionState(failed).word).toBe("failed");
});
