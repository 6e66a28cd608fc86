// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useThrottled } from "./useThrottled";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Renders the hook with a key that can be changed, and counts its calls of act. */
function watched(key: number | undefined) {
  const act = vi.fn();
  const { rerender } = renderHook(({ key }) => useThrottled(act, key, 500), { initialProps: { key } });
  const change = (key: number | undefined) => {
    rerender({ key });
    vi.advanceTimersByTime(100);
  };
  vi.advanceTimersByTime(100);
  return { act, change };
}

test("it acts at once, and again for a change only when the interval is over", () => {
  const { act, change } = watched(0);
  expect(act).toHaveBeenCalledTimes(1);
  change(1);
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(2);
});

test("a continuous series of changes does not delay it", () => {
  const { act, change } = watched(0);
  for (let key = 1; key <= 20; key++) change(key);
  expect(act.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(act.mock.calls.length).toBeLessThanOrEqual(5);
});

test("without a key act is not called", () => {
  const { act, change } = watched(undefined);
  change(undefined);
  expect(act).not.toHaveBeenCalled();
  change(1);
  expect(act).toHaveBeenCalledTimes(1);
});
