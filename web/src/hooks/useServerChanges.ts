import { useCallback, useMemo, useState } from "react";
import { wayOut } from "../signin";
import type { Calls } from "./useRunInfos";

/** ServerChanges changes which servers an agent uses. What has come of it, the agent tells every tab. */
export interface ServerChanges {
  /** Resolves to whether the server was added. */
  add: (name: string, url: string) => Promise<boolean>;
  remove: (id: string) => void;
  reconnect: (id: string) => void;
  /** Opens the page on which a person signs in to a server, by its link. */
  signIn: (link: string) => void;
  /** Why the last change was refused, in the agent's words; empty if it was not. */
  problem: string;
}

/** useServerChanges changes the servers of an agent by its methods. */
export function useServerChanges(call: Calls): ServerChanges {
  const [problem, setProblem] = useState("");
  const change = useCallback(
    (method: string, argument: unknown) =>
      call(method, [argument]).then(
        () => {
          setProblem("");
          return true;
        },
        (error: unknown) => {
          setProblem(error instanceof Error ? error.message : String(error));
          return false;
        },
      ),
    [call],
  );
  const signIn = useCallback((link: string) => {
    // A browser lets a page open a tab in a click only, so the tab is there before its address is known.
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    wayOut(link).then(
      (way) => {
        setProblem("");
        if (tab) tab.location.replace(way);
        else location.assign(way);
      },
      (error: unknown) => {
        tab?.close();
        setProblem(error instanceof Error ? error.message : String(error));
      },
    );
  }, []);
  return useMemo(
    () => ({
      add: (name: string, url: string) => change("addMcpServer", { name, url }),
      remove: (id: string) => void change("removeMcpServer", id),
      reconnect: (id: string) => void change("reconnectMcpServer", id),
      signIn,
      problem,
    }),
    [change, signIn, problem],
  );
}
