// Writes the figures of a run into the documents, in place of what stands between their marks: ./build.sh bench --write
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Key } from "./goals.ts";
import type { Name } from "./side.ts";

/** What was measured of a key on each side: the best fifth. */
export type Figures = Partial<Record<Key, Partial<Record<Name, number>>>>;

type Format = (value: number) => string;

const whole = (value: number): string => Math.round(value).toLocaleString("en");
const significant = (value: number, digits = 2): string =>
  Number(value.toPrecision(digits)).toLocaleString("en", { maximumFractionDigits: 1 });

const count: Format = whole;
const rate: Format = (value) => significant(value);
const ms: Format = (value) => (value < 1000 ? `${whole(value)} ms` : `${significant(value / 1000)} s`);
const kilobytes: Format = (value) =>
  value < 100 ? `${whole(value)} KB` : value < 1000 ? `${whole(value)} KB` : `${significant(value / 1024)} MB`;
const bytes: Format = (value) => `${significant(value / 1000)} KB`;
const size: Format = (value) => `${((value * 1024) / 1e6).toFixed(1)} MB`;

interface Row {
  label: string;
  keys: Key[];
  format: Format;
}

const row = (label: string, format: Format, ...keys: Key[]): Row => ({ label, keys, format });

/** The rows of README's table, in its order. */
const compared: Row[] = [
  row("new conversation, until it is connected", ms, "connect.cold"),
  row("the same, connected again", ms, "connect.again"),
  row("first question of a conversation to its first word; a later one", ms, "first.first", "first.later"),
  row("question to first word of a helper; of two helpers", ms, "helper.first", "helper.both"),
  row("chunks a second of a plain answer; through the parent, from 16 helpers", rate, "rate.plain", "rate.16"),
  row("connect to the last of 5,000 chunks of 10 helpers; nobody in memory", ms, "replay.kept", "replay.cold"),
  row("CPU of an answer of 100 chunks at once; of a new helper with one", ms, "cpu.turn.burst", "cpu.helper.burst"),
  row("first request of a new process", ms, "start.first"),
  row("resident memory of a conversation; of a helper that has answered", kilobytes, "memory.agent", "memory.helper"),
  row("an answer of 50 chunks reaches all of 1,000 connections", ms, "crowd.turn"),
  row("rows written by a turn of 5 chunks; of 100, 5 ms apart", count, "turn5.rowsWritten", "turn100.rowsWritten"),
  row(
    "rows written by a turn with a helper of 100 chunks; with 8 such helpers",
    count,
    "helper.rowsWritten",
    "helpers8.rowsWritten",
  ),
  row("files of a new conversation; of a helper", kilobytes, "fresh.size", "helper.size"),
  row("sent down in a turn behind ten others", bytes, "bytes.10.list.next"),
  row("uploaded by a deployment, compressed", size, "size.whole"),
];

const sides = ["tributary", "peer"] as const;

/** The table. A row that was not measured stays as it was. */
export function tableOf(figures: Figures, before: string): string {
  const kept = new Map(before.split("\n").map((line) => [line.split("|")[1]?.trim() ?? "", line]));
  const lines = compared.flatMap(({ label, keys, format }) => {
    const cells = sides.map((side) => keys.map((key) => figures[key]?.[side]));
    if (cells.flat().includes(undefined)) return kept.get(label) ?? [];
    return `| ${[label, ...cells.map((values) => values.map((value) => format(value as number)).join("; "))].join(" | ")} |`;
  });
  return ["| | Tributary | Agents SDK |", "| --- | --- | --- |", ...lines].join("\n");
}

const checkout = join(import.meta.dirname, "..");
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(checkout, "node_modules", name, "package.json"), "utf8")).version;

/** When, where and with what was measured. */
function occasion(): string {
  const go = String(execFileSync("go", ["env", "GOVERSION"]))
    .trim()
    .replace("go", "Go ");
  const [cpu] = cpus();
  const name = cpu?.model.trim() || arch();
  return fold(
    `Measured on ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores (${name}, ${platform()}) with ${go}, ` +
      `wrangler ${versionOf("wrangler")}, workerd ${versionOf("workerd")} and \`agents\` ${versionOf("agents")}, by \`./build.sh bench --write\`.`,
  );
}

/** The sizes of the modules that were built. */
function modules(): string {
  const of = (file: string) => {
    const code = readFileSync(join(checkout, file));
    return `${(code.length / 1e6).toFixed(1)} MB (${(gzipSync(code, { level: 9 }).length / 1e6).toFixed(1)} MB gzipped)`;
  };
  return fold(
    `The module has ${of(".tributary/agents.wasm")}, the front door ${of(".tributary/frontdoor.wasm")}, and the engine of ` +
      `code mode ${of(".tributary/quickjs.wasm")}.`,
  );
}

/** Folds a text to the width of the documents. */
function fold(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > 120) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

/** Replaces what stands between the marks of a section: <!-- NAME --> and <!-- end of NAME -->, each on a line of its own. */
export function replaceSection(text: string, name: string, write: (before: string) => string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no section "${name}"`);
  const start = from + begin.length;
  return `${text.slice(0, start)}\n${write(text.slice(start, to).trim())}\n${text.slice(to)}`;
}

/** Writes the figures into README. */
export function write(figures: Figures): void {
  const file = join(checkout, "README.md");
  let text = readFileSync(file, "utf8");
  text = replaceSection(text, "figures of the bench", (before) => {
    const table = before.split("\n").filter((line) => line.startsWith("|"));
    return `${occasion()}\n\n${tableOf(figures, table.join("\n"))}`;
  });
  text = replaceSection(text, "sizes of the modules", modules);
  writeFileSync(file, text);
}
