import { useSyncExternalStore } from "react";
import { type Asked, currentAsked, type Root, rootOf, watchAbout } from "../about";
import { currentAgent, watchAddress } from "../address";

/** useAsked is what has become of the question whom people can talk to. */
export function useAsked(): Asked {
  return useSyncExternalStore(watchAbout, currentAsked);
}

/** useRoots lists the agents that people can talk to; empty before the server has answered. */
export function useRoots(): readonly Root[] {
  return useAsked().about?.roots ?? [];
}

/** useRoot is the agent of the address; undefined before the server has answered, and where it has no such agent. */
export function useRoot(): Root | undefined {
  const agent = useSyncExternalStore(watchAddress, currentAgent);
  const { about } = useAsked();
  return about && rootOf(about, agent);
}

/** useSite is the name of the site: its agent's title. It is undefined before the server has answered. */
export function useSite(): string | undefined {
  const [first] = useRoots();
  return (useRoot() ?? first)?.title;
}
