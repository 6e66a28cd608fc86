// The files of ../../quickjs/testdata, whose README.md has their format.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "@msgpack/msgpack";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "wasm/quickjs/testdata");
const prelude = readFileSync(join(root, "durable/internal/codemode/prelude.js"), "utf8");

const forgery = readFileSync(join(folder, "forge.js"), "utf8");

/** The file of the engine. */
export const engineFile = join(root, "internal/embedded/quickjs/quickjs.wasm");

/** Lists the files, and their texts. */
export function scenarios(): { name: string; text: string }[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return names.map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}

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

/** Returns a file with the results that its requests have on a host. */
export async function scenario(
  text: string,
  run: (request: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  const lines = text.replace(/\n$/, "").split("\n");
  const out: string[] = [];
  let result: string[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i++] as string;
    const body: string[] = [];
    while (lines[i]?.startsWith("  ") || (lines[i] === "" && lines[i + 1]?.startsWith("  ")))
      body.push(lines[i++] as string);
    if (line.startsWith("< ")) {
      out.push(...result);
      continue;
    }
    out.push(line, ...body);
    if (!line.startsWith("> ")) continue;
    const below = body.map((line) => line.replace(/^ {2}/, "")).join("\n");
    result = show(await run(requestOf(line.slice(2), below)));
  }
  return `${out.join("\n")}\n`;
}

/** A case of reports.json: expressions in JavaScript, and what becomes of the opening and of each answer. */
export interface ReportCase {
  name: string;
  take: string;
  value?: string;
  memory?: number;
  want: string[];
}

/** Lists the cases of reports.json. */
export function reports(): ReportCase[] {
  return JSON.parse(readFileSync(join(folder, "reports.json"), "utf8")) as ReportCase[];
}

/** Lists the cases of forged.json: reports by chance, and what becomes of each. */
export function forged(): ReportCase[] {
  const outcomes = JSON.parse(readFileSync(join(folder, "forged.json"), "utf8")) as string[];
  return outcomes.map((want, i) => ({ name: `seed ${i}`, take: `f.random(${i})`, value: '"1"', want: [want] }));
}

/** Has a host run the requests of a case, and says what has become of each. */
export async function forge(
  { take, value, memory, want }: ReportCase,
  run: (request: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<string[]> {
  const text = `${forgery}; forge((f, n) => (${take}), (f) => (${value}))`;
  let request = encode([0, 1, text, "1", new Uint8Array(16), 1, memory ?? 2 ** 24, 2 ** 18, 2e8]);
  const outcomes: string[] = [];
  for (const _ of want) {
    outcomes.push(outcome(await run(request)));
    request = encode([1, 1, 1, true, "1", 1, 2e8]);
  }
  return outcomes;
}

/** Says what a result is, in the words of reports.json. */
function outcome(bytes: Uint8Array): string {
  type Result = [number, unknown[], unknown[], string, string];
  const [state, calls, lines, value, words] = decode(bytes) as Result;
  const said = [state === 4 ? words : states[state]];
  if (calls.length > 0) said.push(`${calls.length} calls`);
  if (lines.length > 0) said.push(`${lines.length} lines`);
  if (value) said.push(`value ${[...value].slice(0, 20).join("")}`);
  if (words && state !== 4) said.push(`words ${[...words].slice(0, 20).join("")}`);
  return said.join(", ");
}
