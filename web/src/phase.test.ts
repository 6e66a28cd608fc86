import { expect, test } from "vitest";
import { type Line, phaseOf, refusalOf } from "./phase";

const line: Line = { refused: false, identified: true, dropped: false, online: true, recovering: false };

test.each<[string, Partial<Line>]>([
  ["connected", {}],
  ["connected", { dropped: true }],
  ["connected", { online: false }],
  ["recovering", { recovering: true }],
  ["connecting", { identified: false }],
  ["reconnecting", { identified: false, dropped: true }],
  ["offline", { identified: false, dropped: true, online: false }],
  ["refused", { identified: false, refused: true, online: false }],
])("%s is where a line stands that is %j", (phase, but) => {
  expect(phaseOf({ ...line, ...but })).toBe(phase);
});

test("a refusal has the server's words, or its code", () => {
  expect(refusalOf(undefined)).toBeUndefined();
  expect(refusalOf({ code: 4401, reason: "a token is required" })).toBe("a token is required");
  expect(refusalOf({ code: 4401, reason: "" })).toBe("code 4401");
});
