// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAgain } from "./useAgain";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A hook whose sign can be changed, and how often it has acted. */
function watched(sign: number | undefined) {
  const act = vi.fn();
  const { rerender } = renderHook(({ sign }) => useAgain(act, sign, 500), { initialProps: { sign } });
  const change = (sign: number | undefined) => {
    rerender({ sign });
    vi.advanceTimersByTime(100);
  };
  vi.advanceTimersByTime(100);
  return { act, change };
}

test("it acts at once, and again for a change only when the pause is over", () => {
  const { act, change } = watched(0);
  expect(act).toHaveBeenCalledTimes(1);
  change(1);
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(2);
});

test("changes without end do not put it off", () => {
  const { act, change } = watched(0);
  for (let sign = 1; sign <= 20; sign++) change(sign);
  expect(act.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(act.mock.calls.length).toBeLessThanOrEqual(5);
});

test("without a sign nothing is done", () => {
  const { act, change } = watched(undefined);
  change(undefined);
  expect(act).not.toHaveBeenCalled();
  change(1);
  expect(act).toHaveBeenCalledTimes(1);
});
