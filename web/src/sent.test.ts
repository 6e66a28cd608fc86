import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { rejectedOf } from "./sent";

const sent = { id: "q2", text: "otters?", attachments: [] };
const message = (id: string): UIMessage => ({ id, role: "user", parts: [{ type: "text", text: "otters?" }] });

test.each([
  ["was refused comes back", [message("q1")], true, sent],
  ["was refused as the first comes back", [], true, sent],
  ["was taken stays, though its answer failed", [message("q1"), message("q2")], true, undefined],
  ["went with a conversation that was cleared does not come back", [], false, undefined],
])("a message that %s", (_, messages, failed, want) => {
  expect(rejectedOf(sent, messages, failed)).toBe(want);
});

test("no message is restored if none was sent", () => {
  expect(rejectedOf(undefined, [], true)).toBeUndefined();
});
