import { expect, test } from "vitest";
import { type Deletion, deletionText } from "./deletion";

const none: Deletion = { messages: 0, helpers: 0, background: 0, atWork: false };

test.each<[string, Partial<Deletion>]>([
  ["1 message,", { messages: 1 }],
  ["4 messages and 1 helper,", { messages: 4, helpers: 1 }],
  ["2 messages and 1 background run,", { messages: 2, background: 1 }],
  ["2 messages, 2 helpers, and 3 background runs,", { messages: 2, helpers: 2, background: 3 }],
])("what goes is %s where there is %j", (words, some) => {
  expect(deletionText({ ...none, ...some })).toContain(`This deletes ${words}`);
});

test("the warning mentions a stop only if something is active", () => {
  expect(deletionText({ ...none, messages: 1 })).not.toContain("stopped");
  expect(deletionText({ ...none, messages: 1, atWork: true })).toContain("What is still at work is stopped.");
});
