// How long instances of a module of agents take, in a process that has made none: node instances.ts MODULE ENGINE. It prints
// milliseconds as JSON.
import { readFileSync } from "node:fs";
import { Instance } from "../../wasm/shim/instance.ts";
import { prepared } from "../../wasm/shim/prepare.ts";
import { Scripts } from "../../wasm/shim/scripts.ts";
import { median } from "../quantile.ts";

const [code, engineCode] = process.argv.slice(2).map((path) => readFileSync(path));

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array | undefined) => WebAssembly.Module;
const engine = new Module(engineCode);
const ports = {
  now: () => 0,
  seed: () => {},
  random: () => {},
  write: () => {},
  log: () => {},
  scripts: () => new Scripts(engine),
};

function timed<T>(run: () => T): [T, number] {
  const start = performance.now();
  const result = run();
  return [result, performance.now() - start];
}

const cpu = process.cpuUsage();
const module = new Module(code);
const [first, firstMs] = timed(() => new Instance(module, ports));
prepared(module, "Assistant", ports).end();
const { user, system } = process.cpuUsage(cpu);
const further: number[] = [];
const copies: number[] = [];
for (let n = 0; n < 9; n++) {
  const [instance, ms] = timed(() => new Instance(module, ports));
  further.push(ms);
  // Fresh pages, as an instance has: what the engine of JavaScript does for its memory.
  copies.push(
    timed(() => new Uint8Array(new WebAssembly.Memory({ initial: instance.size / 65536 }).buffer).fill(1))[1],
  );
  instance.end();
}
first.end();
console.log(
  JSON.stringify({ first: firstMs, further: median(further), copy: median(copies), cpu: (user + system) / 1000 }),
);
