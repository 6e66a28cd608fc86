// How the parts of the host hand the object its next event.
import type { Event } from "./abi.ts";

/**
 * Delivers an event to the object, unless `gone` says, once the object is open, that its cause no longer exists. It
 * returns a promise if the event has to wait for the disk, or for one that does.
 */
export type Deliver = (event: Event, gone?: () => boolean) => Promise<void> | void;

/** The text of an error, as an event carries it. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
