// Says how long the Worker's global scope takes: compiling the two modules, starting both programs and rehearsing with them.
//
//	./build.sh build && node worker/startup.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import "../.tributary/wasm_exec.js";
import { prepared } from "../wasm/shim/prepare.ts";
import { FrontDoor } from "./frontdoor.ts";

/** The platform's limit for the global scope of a Worker, in milliseconds of CPU. */
const limit = 1000;

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const read = (name: string) => readFileSync(join(import.meta.dirname, "../.tributary", name));
const ports = { now: () => 0, seed: () => {}, random: () => {}, write: () => {}, log: () => {} };

/** Milliseconds of CPU that a function takes, those of the threads that compile included. */
function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const [doorCode, agentsCode] = [read("frontdoor.wasm"), read("agents.wasm")];
const door = cpuOf(() => new FrontDoor(new Module(doorCode), { TRIBUTARY_BINDINGS: "Assistant" }));
const agents = cpuOf(() => prepared(new Module(agentsCode), "Assistant", ports));
const [ours, theirs, sum] = [door, agents, door + agents].map((ms) => ms.toFixed(0));
console.log(
  `before the first request: ${sum} ms of CPU here, ${ours} of the front door, ${theirs} of the agents (at most ${limit})`,
);
