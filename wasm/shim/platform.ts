// The ports of an instance in workerd.
import type { Ports, ScriptHost } from "./instance.ts";

const platform: Ports = {
  now: () => Date.now(),
  seed: randomize,
  random: randomize,
  write: (text) => console.error(text.trimEnd()),
  log: (level, message) => levels[level]?.(JSON.stringify({ level: names[level], message })),
};

/** What runs the scripts of a module's instances, for modules that run scripts. */
const makers = new WeakMap<WebAssembly.Module, () => ScriptHost>();

/** Has the scripts of each instance of a module run in what this makes. It is called before there is an instance. */
export function provideScripts(module: WebAssembly.Module, make: () => ScriptHost): void {
  makers.set(module, make);
}

/** Returns the ports of the instances of a module. */
export function portsOf(module: WebAssembly.Module): Ports {
  const scripts = makers.get(module);
  return scripts ? { ...platform, scripts } : platform;
}

const levels = [console.debug, console.info, console.warn, console.error];
const names = ["debug", "info", "warn", "error"];

/** Fills the bytes with randomness. The platform fills at most 65,536 bytes at a time. */
function randomize(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
}
