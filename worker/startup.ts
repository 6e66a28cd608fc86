// Says how long the Worker's global scope takes: compiling the two modules, starting both programs and rehearsing with them,
// and compiling the engine of scripts if the agents run any.
// It fails if one of them does not start, because the time would say nothing then.
//
//	./build.sh build && node worker/startup.ts [folder of the modules]
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "../.tributary/wasm_exec.js";
import { prepared } from "../wasm/shim/prepare.ts";
import { Scripts } from "../wasm/shim/scripts.ts";
import { FrontDoor } from "./frontdoor.ts";

/** The platform's limit for the global scope of a Worker, in milliseconds of CPU. */
const limit = 1000;

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const folder = process.argv[2] ?? join(import.meta.dirname, "../.tributary");
const read = (name: string) => readFileSync(join(folder, name));
const ports = { now: () => 0, seed: () => {}, random: () => {}, write: () => {}, log: () => {} };

/** What a function returns, and the milliseconds of CPU that it takes, those of the threads that compile included. */
function cpuOf<T>(run: () => T): [T, number] {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1000];
}

/** Makes the front door, and returns the milliseconds of CPU that it takes. */
async function startDoor(module: Uint8Array): Promise<number> {
  const [door, ms] = cpuOf(() => new FrontDoor(new Module(module), { TRIBUTARY_BINDINGS: "Assistant" }));
  if (!(await door.prepared)) throw new Error("frontdoor.wasm did not start");
  return ms;
}

/** Makes the instance of the agents, and returns the milliseconds of CPU that it takes. */
function startAgents(module: Uint8Array, engine: WebAssembly.Module | undefined): number {
  const scripts = engine && { scripts: () => new Scripts(engine) };
  try {
    return cpuOf(() => prepared(new Module(module), "Assistant", { ...ports, ...scripts }))[1];
  } catch (error) {
    throw new Error("agents.wasm did not start", { cause: error });
  }
}

/** Compiles the engine if the build has one, and returns it with the milliseconds of CPU that it takes. */
function compileEngine(): [engine: WebAssembly.Module | undefined, ms: number] {
  if (!existsSync(join(folder, "quickjs.wasm"))) return [undefined, 0];
  const code = read("quickjs.wasm");
  return cpuOf(() => new Module(code));
}

// Node loads what these are of when they are first looked at, which takes longer than all of Go's start. workerd has them.
void [Request, Response, Headers, ReadableStream, WebSocket];

const [doorCode, agentsCode] = [read("frontdoor.wasm"), read("agents.wasm")];
const door = await startDoor(doorCode);
const [engine, compiling] = compileEngine();
const agents = startAgents(agentsCode, engine);
const [ours, theirs, last, sum] = [door, agents, compiling, door + agents + compiling].map((ms) => ms.toFixed(0));
const rest = engine ? `, ${last} of the engine` : "";
const share = Math.round((Number(sum) / limit) * 100);
console.log(
  `before the first request: ${sum} ms of CPU here, ${ours} of the front door, ${theirs} of the agents${rest}: ${share} % of what the platform allows`,
);
if (share > 50) console.log("warning: that is more than a half, and the platform refuses a deployment above the whole");
