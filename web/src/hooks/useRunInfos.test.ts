// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../sample";
import { useRunInfos } from "./useRunInfos";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const runs = Object.fromEntries(["a", "b"].map((runId) => [runId, run({ runId, status: "aborted" })]));

/** Renders the hook in a page that knows two runs, with a server whose list can change. */
async function page(listed: string[] | Error) {
  const server = { listed };
  const call = vi.fn(async () => {
    if (server.listed instanceof Error) throw server.listed;
    return server.listed.map((runId) => ({ runId, elapsed: 1, completedAt: 1 }));
  });
  const { result } = renderHook(() => useRunInfos(call, runs, true));
  const pass = () => act(() => vi.advanceTimersByTimeAsync(5000));
  const look = (how: DocumentVisibilityState) => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(how);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    return pass();
  };
  await pass();
  return { server, call, result, look };
}

test("a run that was deleted elsewhere is marked as deleted when the page becomes visible", async () => {
  const { server, call, result, look } = await page(["a", "b"]);
  expect(result.current.deleted).toEqual([]);
  server.listed = ["b"];
  await look("hidden");
  expect(call).toHaveBeenCalledTimes(1);
  await look("visible");
  expect(call).toHaveBeenCalledTimes(2);
  expect(result.current.deleted).toEqual(["a"]);
});

test("forget marks a run as deleted", async () => {
  const { result } = await page(["a", "b"]);
  act(() => result.current.forget("b"));
  expect(result.current.deleted).toEqual(["b"]);
});

test("nothing is deleted for an agent that does not list its runs", async () => {
  const { result } = await page(new Error("Method runs does not exist"));
  expect(result.current).toMatchObject({ infos: {}, deleted: [] });
});
