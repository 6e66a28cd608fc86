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

test("a refusal has the server's words, or its code, and says whether another token helps", () => {
  expect(refusalOf(undefined)).toBeUndefined();
  expect(refusalOf({ code: 4401, reason: "a token is required" })).toEqual({
    text: "a token is required",
    renewable: true,
  });
  expect(refusalOf({ code: 4404, reason: "" })).toEqual({ text: "code 4404", renewable: false });
});
