import { expect, test } from "vitest";
import { type ConnectionState, phaseOf, refusalOf } from "./phase";

const state: ConnectionState = { refused: false, identified: true, dropped: false, online: true, recovering: false };

test.each<[string, Partial<ConnectionState>]>([
  ["connected", {}],
  ["connected", { dropped: true }],
  ["connected", { online: false }],
  ["recovering", { recovering: true }],
  ["connecting", { identified: false }],
  ["reconnecting", { identified: false, dropped: true }],
  ["offline", { identified: false, dropped: true, online: false }],
  ["refused", { identified: false, refused: true, online: false }],
])("the phase is %s where the connection is %j", (phase, but) => {
  expect(phaseOf({ ...state, ...but })).toBe(phase);
});

test("a refusal has the server's text or its code, and says whether another token helps", () => {
  expect(refusalOf(undefined)).toBeUndefined();
  expect(refusalOf({ code: 4401, reason: "a token is required" })).toEqual({
    text: "a token is required",
    renewable: true,
  });
  expect(refusalOf({ code: 4404, reason: "" })).toEqual({ text: "code 4404", renewable: false });
});
