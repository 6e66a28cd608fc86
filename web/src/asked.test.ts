import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { returnedOf } from "./asked";

const asked = { id: "q2", text: "otters?", attachments: [] };
const message = (id: string): UIMessage => ({ id, role: "user", parts: [{ type: "text", text: "otters?" }] });

test.each([
  ["was refused comes back", [message("q1")], true, asked],
  ["was refused as the first comes back", [], true, asked],
  ["was taken stays, though its answer failed", [message("q1"), message("q2")], true, undefined],
  ["went with a conversation that was cleared does not come back", [], false, undefined],
])("a question that %s", (_, messages, failed, want) => {
  expect(returnedOf(asked, messages, failed)).toBe(want);
});

test("nothing comes back where nothing was asked", () => {
  expect(returnedOf(undefined, [], true)).toBeUndefined();
});
