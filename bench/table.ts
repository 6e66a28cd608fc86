// The figures of all sides, the goals beside them, and both as text and as JSON.
import { type Goal, type Key, type Row, rows } from "./goals.ts";
import { median, quantile } from "./quantile.ts";
import { type Name, names } from "./side.ts";

/** What was measured of a row on a side: the value that the best fifth of the samples reach, and their median. */
interface Figure {
  best: number;
  median: number;
  samples: number[];
}

interface Line extends Row {
  key: Key;
  figures: Partial<Record<Name, Figure>>;
  /** The figure of Tributary over the others'. */
  ratio: { floor?: number | undefined; peer?: number | undefined };
  met?: boolean | undefined;
  /** Why a side has no figure. */
  failures: Partial<Record<Name, string>>;
}

type Samples = Map<Name, number[]>;

export class Table {
  readonly #samples = new Map<Key, Samples>();
  readonly #failures = new Map<Key, Partial<Record<Name, string>>>();

  add(key: Key, side: Name, value: number): void {
    const samples: Samples = this.#samples.get(key) ?? new Map();
    this.#samples.set(key, samples);
    samples.set(side, [...(samples.get(side) ?? []), value]);
  }

  /** Notes why a side has no figure. */
  fail(keys: Key[], side: Name, why: unknown): void {
    for (const key of keys) this.#failures.set(key, { ...this.#failures.get(key), [side]: String(why) });
  }

  /** Takes a sample of each key. If that fails, the row says why, and is not tried again on that side. */
  async take(keys: Key[], side: Name, sample: () => Promise<number[]>): Promise<void> {
    if (keys.some((key) => this.#failures.get(key)?.[side])) return;
    try {
      const values = await sample();
      for (const [i, key] of keys.entries()) this.add(key, side, values[i] as number);
    } catch (error) {
      this.fail(keys, side, error);
    }
  }

  /** The rows that were measured. */
  lines(): Line[] {
    return (Object.keys(rows) as Key[]).flatMap((key) => this.#line(key) ?? []);
  }

  #line(key: Key): Line | undefined {
    const samples = this.#samples.get(key);
    const failures = this.#failures.get(key) ?? {};
    if (!samples && Object.keys(failures).length === 0) return undefined;
    const row: Row = rows[key];
    const figures: Line["figures"] = {};
    for (const [side, values] of samples ?? []) figures[side] = figureOf(values, row.unit === "/s");
    const [ours, ...others] = [figures.tributary?.best, figures.floor?.best, figures.peer?.best];
    const [floor, peer] = others.map((other) => (ours === undefined || !other ? undefined : ours / other));
    return { key, ...row, figures, ratio: { floor, peer }, met: metOf(row.goal, ours, { floor, peer }), failures };
  }
}

function figureOf(samples: number[], higher: boolean): Figure {
  return {
    best: higher ? -quantile(negative(samples), 0.2) : quantile(samples, 0.2),
    median: median(samples),
    samples,
  };
}

const negative = (samples: number[]): number[] => samples.map((value) => -value);

/** Whether a goal is met; undefined without a goal, or where something is missing that would tell. */
function metOf(goal: Goal | undefined, ours: number | undefined, ratio: Line["ratio"]): boolean | undefined {
  if (!goal || Object.keys(goal).length === 0) return undefined;
  if (ours === undefined) return false;
  const holds: (boolean | undefined)[] = [];
  if (goal.most !== undefined) holds.push(ours <= goal.most);
  if (goal.least !== undefined) holds.push(ours >= goal.least);
  for (const side of ["floor", "peer"] as const) {
    const [most, is] = [goal[side], ratio[side]];
    if (most !== undefined) holds.push(is === undefined ? undefined : is <= most);
  }
  return holds.includes(false) ? false : holds.includes(undefined) ? undefined : true;
}

/** The table as text. */
export function text(lines: Line[]): string {
  const cells = lines.map((line) => [
    line.unit === "" || line.unit === "/s" ? line.what : `${line.what}, ${line.unit}`,
    ...names.map((name) => shown(line, name)),
    multiple(line.ratio.floor),
    multiple(line.ratio.peer),
    goalText(line.goal),
    line.met === undefined ? "" : line.met ? "yes" : "NO",
  ]);
  const head = ["", ...names, "/ floor", "/ peer", "goal", "met"];
  const widths = head.map((_, i) => Math.max(...[head, ...cells].map((row) => row[i]?.length ?? 0)));
  const failed = lines.flatMap(({ what, failures }) =>
    Object.entries(failures).map(([name, why]) => `${name} has no figure for "${what}": ${why}`),
  );
  const print = (row: string[]) =>
    row.map((cell, i) => (i === 0 || i > 5 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  return [...[head, ...cells].map((row) => print(row).trimEnd()), ...failed].join("\n");
}

/** A figure: the best fifth and the median, or one number where both are the same. */
function shown({ figures, failures }: Line, name: Name): string {
  const figure = figures[name];
  if (!figure) return failures[name] ? "failed" : "";
  const [best, middle] = [number(figure.best), number(figure.median)];
  return best === middle ? best : `${best} / ${middle}`;
}

function number(value: number): string {
  return value.toLocaleString("en", {
    maximumFractionDigits: Math.abs(value) < 20 ? 2 : Math.abs(value) < 200 ? 1 : 0,
  });
}

const multiple = (ratio: number | undefined): string => (ratio === undefined ? "" : ratio.toFixed(2));

function goalText(goal: Goal = {}): string {
  const parts: string[] = [];
  if (goal.most !== undefined) parts.push(`≤ ${number(goal.most)}`);
  if (goal.least !== undefined) parts.push(`≥ ${number(goal.least)}`);
  if (goal.floor !== undefined) parts.push(`≤ ${goal.floor} floor`);
  if (goal.peer !== undefined) parts.push(`≤ ${goal.peer} peer`);
  return parts.join(", ");
}
