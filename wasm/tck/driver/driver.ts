// The shim under Node: a process that runs objects for ../node.go. Each frame on standard input and output is its length (4
// bytes, little-endian) followed by msgpack.
import { readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "@msgpack/msgpack";
import { type Event, events } from "../../shim/abi.ts";
import { table } from "../../shim/fields.ts";
import { Scripts } from "../../shim/scripts.ts";
import { Engine, type Opened } from "./engine.ts";

const [, , path = "", seed = "0", maxMemory = "0", instance = "shared"] = process.argv;
// The types are those of workerd, where a module cannot be compiled.
const compile = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const module = new compile(readFileSync(path));
/** The engine of scripts, once an instance has run one. */
let compiled: WebAssembly.Module | undefined;
function scripts(): Scripts {
  compiled ??= new compile(readFileSync(join(import.meta.dirname, "../../../internal/embedded/quickjs/quickjs.wasm")));
  return new Scripts(compiled);
}
const fresh = () => new Engine(module, Number(seed), Number(maxMemory), instance, scripts);
let engine = fresh();

/** Decodes an event that ../../abi/event.go has encoded. */
function event(bytes: unknown): Event | undefined {
  if (bytes === null) return undefined;
  const [, , number, values] = decode(bytes as Uint8Array) as [number, number, number, unknown[]];
  const known = Object.entries(events).find(([, event]) => event.number === number);
  if (!known) throw new TypeError(`no event has number ${number}`);
  const [kind, { fields }] = known;
  const named = Object.entries<unknown>(fields).map(([name, field], i) => [
    name,
    field === table ? record(values[i] as string[]) : values[i],
  ]);
  return { kind, ...Object.fromEntries(named) } as Event;
}

/** Converts a table on the wire, in which each key is followed by its value. */
function record(flat: string[]): Record<string, string> {
  const entries: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2) entries.push([flat[i] as string, flat[i + 1] as string]);
  return Object.fromEntries(entries);
}

/**
 * Answers one frame with an error or "", the calls over the boundary since the last frame, the indexes of the committed ones,
 * and the objects that are in memory.
 */
function answer([verb, name, at, opened, happened]: unknown[]): unknown {
  let error = "";
  try {
    if (verb === "step") engine.step(String(name), Number(at), event(opened) as Opened, event(happened));
    else if (verb === "evict") engine.evict(String(name));
    else if (verb === "expire") engine.expire(Number(name));
    else if (verb === "restart") engine.restart();
    else engine = fresh();
  } catch (thrown) {
    error = String(thrown);
  }
  return { Error: error, ...engine.take(), Awake: engine.awake() };
}

function read(length: number): Buffer | undefined {
  const buffer = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const n = readSync(0, buffer, at, length - at, null);
    if (n === 0) return undefined;
    at += n;
  }
  return buffer;
}

function write(buffer: Buffer): void {
  for (let at = 0; at < buffer.length; ) at += writeSync(1, buffer, at);
}

for (let head = read(4); head; head = read(4)) {
  const frame = read(head.readUInt32LE());
  if (!frame) break;
  const body = encode(answer(decode(frame) as unknown[]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  write(Buffer.concat([length, body]));
}
