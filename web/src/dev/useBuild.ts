import { useCallback, useSyncExternalStore } from "react";
import { askAbout } from "../about";
import { afterEvent, type Build, unknown } from "./build";

const watchers = new Set<() => void>();
let build = unknown;
let source: EventSource | undefined;
let listened = "";
/** What was built since the page last asked may introduce the agents in other words. */
let built = false;

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
    if (build !== unknown || before === unknown) return;
    built = true;
    // The Worker before may still answer, so the page also asks at its next connection.
    void askAbout();
  });
  // The tool may have ended in the middle of a build.
  source.addEventListener("error", () => become({ ...build, building: false }));
}

/** askAnew asks the server whom people can talk to, if there was a build. */
export function askAnew(): void {
  if (!built) return;
  built = false;
  void askAbout();
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
