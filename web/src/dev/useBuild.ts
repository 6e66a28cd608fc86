import { useCallback, useSyncExternalStore } from "react";
import { askAbout } from "../about";
import { afterEvent, type Build, unknown } from "./build";

const watchers = new Set<() => void>();
let build = unknown;
let source: EventSource | undefined;
let listened = "";

function become(next: Build): void {
  build = next;
  for (const changed of watchers) changed();
}

/** listen opens the tool's event stream, which stays open as long as the page. */
function listen(address: string): void {
  if (address === listened) return;
  source?.close();
  listened = address;
  source = new EventSource(address);
  source.addEventListener("build", ({ data }: MessageEvent<string>) => {
    const before = build;
    become(afterEvent(build, data));
    // What was built may introduce the agents in other words.
    if (build === unknown && before !== unknown) void askAbout();
  });
  // The tool may have ended in the middle of a build.
  source.addEventListener("error", () => become({ ...build, building: false }));
}

/** fold folds the error, or unfolds it. */
export function fold(folded: boolean): void {
  if (folded !== build.folded) become({ ...build, folded });
}

/** useBuild is the state of the build by the events at an address. */
export function useBuild(address: string): Build {
  const watch = useCallback(
    (changed: () => void) => {
      listen(address);
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    [address],
  );
  return useSyncExternalStore(watch, () => build);
}
