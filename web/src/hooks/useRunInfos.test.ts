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

/** The hook in a page that knows two runs, and a server whose list can change. */
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

test("a run that was deleted elsewhere is gone when the page is looked at again", async () => {
  const { server, call, result, look } = await page(["a", "b"]);
  expect(result.current.gone).toEqual([]);
  server.listed = ["b"];
  await look("hidden");
  expect(call).toHaveBeenCalledTimes(1);
  await look("visible");
  expect(call).toHaveBeenCalledTimes(2);
  expect(result.current.gone).toEqual(["a"]);
});

test("a run is gone when it is said to be", async () => {
  const { result } = await page(["a", "b"]);
  act(() => result.current.forget("b"));
  expect(result.current.gone).toEqual(["b"]);
});

test("nothing is gone for an agent that does not list its runs", async () => {
  const { result } = await page(new Error("Method runs does not exist"));
  expect(result.current).toMatchObject({ infos: {}, gone: [] });
});
