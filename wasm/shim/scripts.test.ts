// The scripts of ../quickjs, whose results are those of the host in Go, to the unit of work and to the byte.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { Scripts } from "./scripts.ts";

const folder = join(import.meta.dirname, "../quickjs/testdata");
const root = join(import.meta.dirname, "../..");
const prelude = readFileSync(join(root, "durable/internal/codemode/prelude.js"), "utf8");

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const engine = new Module(readFileSync(join(root, "internal/embedded/quickjs/quickjs.wasm")));

/** What a request has unless its line says otherwise. */
const defaults = {
  tools: "add,get",
  seed: "000102030405060708090a0b0c0d0e0f",
  now: "1800000000000",
  memory: "16777216",
  stack: "262144",
  work: "50000000",
};

/** Encodes the request of a line and of the text below it. */
function requestOf(line: string, text: string): Uint8Array {
  const words = line.split(/\s+/).filter(Boolean);
  const named = words.filter((word) => word.includes("=")).map((word) => word.split(/=(.*)/s).slice(0, 2));
  const o: typeof defaults = { ...defaults, ...Object.fromEntries(named) };
  const [verb, box, call, how] = words.filter((word) => !word.includes("="));
  const limits = [Number(o.now), Number(o.memory), Number(o.stack), Number(o.work)];
  const head = [0, Number(box), `(${prelude})(${JSON.stringify(o.tools.split(","))})`];
  const seed = Buffer.from(o.seed, "hex");
  switch (verb) {
    case "open":
      return encode([...head, `$run(async () => {${text}\n})`, seed, ...limits]);
    case "script":
      return encode([...head, text, seed, ...limits]);
    case "answer":
      return encode([1, Number(box), Number(call), how === "ok", text, Number(o.now), Number(o.work)]);
    case "close":
      return encode([2, Number(box)]);
    default:
      throw new Error(`${line} is no request`);
  }
}

const states = ["waits", "done", "failed", "gone", "spent"];

/** Shows a result as the files have it. */
function show(bytes: Uint8Array): string[] {
  type Result = [number, [number, string, string][], string[], string, string, number, number];
  const [state, calls, lines, value, words, work, size] = decode(bytes) as Result;
  return [
    `< ${states[state]} work=${work} bytes=${size}`,
    ...calls.map(([number, name, json]) => `  call ${number} ${name} ${short(json)}`),
    ...lines.map((line) => `  line ${short(quote(line))}`),
    ...(value ? [`  value ${short(value)}`] : []),
    ...(words ? [`  words ${short(quote(words))}`] : []),
  ];
}

/** Returns a text, or how long it is in bytes and its hash. */
function short(text: string): string {
  const length = Buffer.byteLength(text);
  if (length <= 300) return text;
  return `(${length} bytes, SHA-256 ${createHash("sha256").update(text).digest("hex")})`;
}

/** Quotes a text as Go does, which escapes the two separators. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Returns a file with the results that its requests have here. */
function scenario(text: string): string {
  const host = new Scripts(engine);
  const lines = text.replace(/\n$/, "").split("\n");
  const out: string[] = [];
  let result: string[] = [];
  /** Whether it is enough that the file says the same: how deep code nests differs between the stacks of hosts. */
  let spent = false;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i++] as string;
    const body: string[] = [];
    while (lines[i]?.startsWith("  ") || (lines[i] === "" && lines[i + 1]?.startsWith("  ")))
      body.push(lines[i++] as string);
    if (line.startsWith("< ")) {
      out.push(...(spent && line.startsWith("< spent ") ? [line, ...body] : result));
      continue;
    }
    out.push(line, ...body);
    if (!line.startsWith("> ")) continue;
    const below = body.map((line) => line.replace(/^ {2}/, "")).join("\n");
    result = show(host.run(requestOf(line.slice(2), below)));
    spent = line.includes(" deep") && result[0]?.startsWith("< spent ") === true;
  }
  host.close();
  return `${out.join("\n")}\n`;
}

describe("scripts have the results that they have in Go", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  assert.ok(files.length > 0);
  for (const name of files) {
    test(name, () => {
      const want = readFileSync(join(folder, name), "utf8");
      assert.equal(scenario(want), want);
    });
  }
});
