// The ports of an instance in workerd.
import type { Ports } from "./instance.ts";

export const platform: Ports = {
  now: () => Date.now(),
  seed: randomize,
  random: randomize,
  write: (text) => console.error(text.trimEnd()),
  log: (level, message) => levels[level]?.(JSON.stringify({ level: names[level], message })),
};

const levels = [console.debug, console.info, console.warn, console.error];
const names = ["debug", "info", "warn", "error"];

/** Fills the bytes with randomness. The platform fills at most 65,536 bytes at a time. */
function randomize(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
}
