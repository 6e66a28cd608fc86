// The library @msgpack/msgpack is the reference of the codec: the encoder writes the bytes that it writes, and the decoder
// accepts the bytes that it accepts, with the same values.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import type { Command, Event, Reply, Value } from "./abi.ts";
import { commands, events, version } from "./abi.ts";
import { decodeReply, decodeStatement, encodeOccurrence, encodeResult, VersionError } from "./codec.ts";
import type { Decoder } from "./decoder.ts";
import { blob, boolean, type Field, integer, table, text, texts } from "./fields.ts";

/** Draws the same values for the same seed. */
class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Draws a number from 0 to n - 1. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  many<T>(most: number, one: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, one);
  }

  boolean(): boolean {
    return this.below(2) === 0;
  }

  /** Draws a safe integer, often one at which the form changes. */
  integer(): number {
    const size = 2 ** this.of([0, 3, 5, 7, 8, 15, 16, 31, 32, 40, 53]);
    const near = this.boolean() ? size + this.below(3) - 1 : Math.floor((this.below(2 ** 30) / 2 ** 30) * size);
    return Math.min(near, Number.MAX_SAFE_INTEGER) * this.of([1, -1]) + 0;
  }

  /** Draws a text without single surrogates, often of a length at which the form changes. */
  text(): string {
    const length = this.of([this.below(12), this.below(80), 31, 32, 33, 64, 65, 255, 256, 300]);
    const letters = this.of(["a", "abc \0\x7f", "aaaaaaaaaaaaaaaü", "aß漢😀"]);
    return Array.from({ length }, () => this.of([...letters])).join("");
  }

  bytes(): Uint8Array {
    return Uint8Array.from({ length: this.of([0, 1, 40, 255, 256]) }, () => this.below(256));
  }

  blob(): Uint8Array | null {
    return this.boolean() ? this.bytes() : null;
  }

  texts(): string[] {
    return this.many(this.of([2, 20]), () => this.text());
  }

  table(): Record<string, string> {
    return Object.fromEntries(this.many(9, () => [this.of([this.text(), "__proto__", "7"]), this.text()]));
  }

  /** Draws a value of SQL. */
  value(): Value {
    const { buffer } = this.bytes();
    const double = this.of([0.5, -1e300, 2 ** 53, -(2 ** 63), Number.POSITIVE_INFINITY, Number.NaN]);
    return this.of([null, this.integer(), double, this.text(), this.bytes(), buffer as ArrayBuffer]);
  }
}

/**
 * Stands in for a decoder: it draws each value that is read, and keeps what the wire has for it. So the table of commands says
 * what a random command is.
 */
class Drawn {
  readonly wire: unknown[] = [];
  readonly #draw: Draw;
  /** The lists that lack elements, the innermost last. */
  readonly #open: { list: unknown[]; lacks: number }[];

  constructor(draw: Draw, length: number) {
    this.#draw = draw;
    this.#open = [{ list: this.wire, lacks: length }];
  }

  text = () => this.#keep(this.#draw.text());
  texts = () => this.#keep(this.#draw.texts());
  integer = () => this.#keep(this.#draw.integer());
  blob = () => this.#keep(this.#draw.blob());

  table(): Record<string, string> {
    const values = this.#draw.table();
    this.#keep(Object.entries(values).flat());
    return values;
  }

  tuple(length: number): void {
    this.#open.push({ list: this.#keep([]), lacks: length });
  }

  list<T>(read: (d: Decoder) => T): T[] {
    const elements = this.#draw.many(3, () => new Drawn(this.#draw, 1));
    const values = elements.map((element) => read(element as unknown as Decoder));
    this.#keep(elements.map(({ wire: [one] }) => one));
    return values;
  }

  /** Checks that all elements were read. */
  end(): void {
    assert.deepEqual(this.#open, []);
  }

  #keep<T>(value: T): T {
    const inner = this.#open.at(-1);
    assert.ok(inner, "more fields are read than the table says");
    inner.list.push(value);
    if (--inner.lacks === 0) this.#open.pop();
    return value;
  }
}

/** Stands in for a decoder: it reads what the library has decoded. */
class Decoded {
  /** What is left to read. */
  #values: unknown[];

  constructor(...values: unknown[]) {
    this.#values = values;
  }

  text = () => this.#read((value) => typeof value === "string");
  integer = () => this.#read((value): value is number => Number.isSafeInteger(value));
  boolean = () => this.#read((value) => typeof value === "boolean");
  blob = () => this.#read((value): value is Uint8Array | null => value === null || value instanceof Uint8Array);
  texts = () => this.list((d) => d.text());

  tuple(length: number): void {
    const list = this.#read((value): value is unknown[] => Array.isArray(value) && value.length === length);
    this.#values.unshift(...list);
  }

  list<T>(read: (d: Decoder) => T): T[] {
    const list = this.#read((value): value is unknown[] => Array.isArray(value));
    return list.map((value) => read(new Decoded(value) as unknown as Decoder));
  }

  table(): Record<string, string> {
    const flat = this.texts();
    if (flat.length % 2 !== 0) throw new TypeError("an odd table");
    return Object.fromEntries(flat.flatMap((key, i) => (i % 2 === 0 ? [[key, flat[i + 1] as string]] : [])));
  }

  #read<T>(accepts: (value: unknown) => value is T): T {
    const value = this.#values.shift();
    if (!accepts(value)) throw new TypeError("a value of another type");
    return value;
  }
}

const kinds = Object.values(commands);

/** Decodes a reply as the library does. */
function referenceReply(bytes: Uint8Array): Reply {
  const value = decode(bytes);
  const guest: unknown = Array.isArray(value) ? value[0] : undefined;
  if (Number.isSafeInteger(guest) && guest !== version) throw new VersionError(guest as number);
  const d = new Decoded(value);
  d.tuple(5);
  d.integer();
  return {
    version,
    status: d.integer(),
    error: d.text(),
    busy: d.boolean(),
    commands: d.list(referenceCommand),
  } as Reply;
}

function referenceCommand(d: Decoder): Command {
  d.tuple(2);
  const number = d.integer();
  const kind = kinds.find((kind) => kind.number === number);
  if (!kind) throw new TypeError("no such command");
  d.tuple(kind.length);
  return kind.read(d);
}

/** Draws a reply and its form on the wire. */
function drawReply(draw: Draw): { wire: unknown[]; reply: Reply } {
  const drawn = draw.many(4, () => {
    const { number, length, read } = draw.of(kinds);
    const fields = new Drawn(draw, length);
    const command = read(fields as unknown as Decoder);
    fields.end();
    return { wire: [number, fields.wire], command };
  });
  const [status, error, busy] = [draw.integer(), draw.text(), draw.boolean()];
  const rest = { status, error, busy, commands: drawn.map(({ command }) => command) };
  return { wire: [version, status, error, busy, drawn.map(({ wire }) => wire)], reply: { version, ...rest } as Reply };
}

/** Returns what a function returns, or the name of the error that it throws. */
function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).name;
  }
}

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

describe("the decoder and the library", () => {
  test("read the same replies", () => {
    for (const seed of seeds(1000)) {
      const { wire, reply } = drawReply(new Draw(seed));
      const bytes = encode(wire);
      assert.deepEqual(decodeReply(bytes), reply, `seed ${seed}`);
      assert.deepEqual(referenceReply(bytes), reply, `seed ${seed}`);
    }
  });

  test("refuse the same values in the place of another", () => {
    const others = [null, true, -1, 4, 1.5, 2 ** 53, "x", new Uint8Array(3), [], ["x"], [[], 7], { x: 1 }];
    let refused = 0;
    for (const seed of seeds(3000)) {
      const draw = new Draw(seed);
      const { wire } = drawReply(draw);
      replace(draw, wire, draw.of(others));
      const bytes = encode(wire);
      const want = outcome(() => referenceReply(bytes));
      const got = outcome(() => decodeReply(bytes));
      assert.deepEqual(got, want, `seed ${seed}`);
      if (typeof want === "string") refused++;
    }
    assert.ok(refused > 1500 && refused < 3000, `${refused} are refused`);
  });

  test("refuse the same bytes", () => {
    let accepted = 0;
    for (const seed of seeds(5000)) {
      const draw = new Draw(seed);
      const bytes = encode(drawReply(draw).wire);
      const at = draw.below(Math.min(bytes.length, draw.of([8, 64, 1000])));
      bytes[at] = draw.of([draw.below(256), 0x80 + draw.below(128)]);
      const want = outcome(() => referenceReply(bytes));
      const got = outcome(() => decodeReply(bytes));
      assert.equal(typeof got, typeof want, `seed ${seed}`);
      if (typeof want === "string") continue;
      accepted++;
      // The library replaces wrong UTF-8 in long texts only.
      if (!JSON.stringify(got).includes("\ufffd")) assert.deepEqual(got, want, `seed ${seed}`);
    }
    assert.ok(accepted > 1000 && accepted < 4000, `${accepted} are accepted`);
  });

  test("read the same numbers in every form", () => {
    const widths = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8]; // of the forms from 0xca on
    for (const [i, width] of widths.entries()) {
      for (const seed of seeds(200)) {
        const draw = new Draw(seed);
        const first = draw.of([0x00, 0x7f, 0x80, 0xff]);
        const digits = Array.from({ length: width }, () => draw.of([first, draw.below(256)]));
        const bytes = Uint8Array.of(0x93, 0xa0, 0x00, 0x91, 0xca + i, ...digits);
        assert.deepEqual([decodeStatement(bytes).sql, 0, decodeStatement(bytes).args], decode(bytes));
      }
    }
  });
});

/** Puts a value in a random place of a list, or of a list in it. */
function replace(draw: Draw, list: unknown[], value: unknown): void {
  const at = draw.below(list.length);
  const found = list[at];
  if (Array.isArray(found) && found.length > 0 && draw.below(6) > 0) replace(draw, found, value);
  else list[at] = value;
}

describe("the decoder refuses", () => {
  test("each beginning of a reply", () => {
    for (const seed of seeds(100)) {
      const bytes = encode(drawReply(new Draw(seed)).wire);
      for (let n = 0; n < bytes.length; n++) assert.throws(() => decodeReply(bytes.subarray(0, n)), RangeError);
    }
  });

  test("bytes behind the value", () => {
    const behind = (value: unknown) => Uint8Array.of(...encode(value), 0xc0);
    assert.throws(() => decodeReply(behind([version, 0, "", false, []])), RangeError);
    assert.throws(() => decodeStatement(behind(["", 0, []])), RangeError);
  });

  test("a list that says it is longer than the bytes", () => {
    const forged = Uint8Array.of(0x95, version, 0, 0xa0, 0xc2, 0xdd, 0xff, 0xff, 0xff, 0xff, 0x92);
    assert.throws(() => decodeReply(forged), RangeError);
  });
});

test("wrong UTF-8 is replaced, whatever the length of the text", () => {
  for (const length of [1, 30, 300]) {
    const wrong = Uint8Array.from({ length: length + 1 }, (_, i) => (i === length ? 0xed : 0x61));
    const bytes = Uint8Array.of(0x93, 0xdb, 0, 0, (length + 1) >> 8, length + 1, 0, 0x90);
    const whole = Uint8Array.of(...bytes.subarray(0, 6), ...wrong, ...bytes.subarray(6));
    assert.equal(decodeStatement(whole).sql, `${"a".repeat(length)}\ufffd`);
  }
});

test("a byte order mark is a part of its text", () => {
  for (const length of [0, 30, 300]) {
    const sql = `\ufeff${"a".repeat(length)}`;
    assert.equal(decodeStatement(encode([sql, 0, []])).sql, sql);
  }
});

test("blobs are views of the decoded bytes", () => {
  const bytes = encode([version, 0, "", false, [[commands.Emit.number, ["s", Uint8Array.of(1, 2, 3)]]]]);
  const [emit] = decodeReply(bytes).commands;
  assert.ok(emit?.kind === "Emit");
  assert.equal(emit.data?.buffer, bytes.buffer);
});

/** What the wire has for a value: of a text without pairs U+FFFD, of a table its keys and values. */
function onWire(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(onWire);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const keys = Object.keys(value).sort();
  return keys.flatMap((key) => [key, (value as Record<string, unknown>)[key]]).map(onWire);
}

describe("the encoder and the library write the same", () => {
  const single = "\ud800a";
  const drawn = new Map<unknown, (draw: Draw) => unknown>([
    [text, (draw) => draw.of([draw.text(), single, single.repeat(200)])],
    [texts, (draw) => draw.texts()],
    [integer, (draw) => draw.integer()],
    [boolean, (draw) => draw.boolean()],
    [blob, (draw) => draw.blob()],
    [table, (draw) => draw.table()],
  ]);

  for (const [kind, { number, fields }] of Object.entries(events)) {
    test(kind, () => {
      for (const seed of seeds(100)) {
        const draw = new Draw(seed);
        const parts = Object.entries<Field<never>>(fields).map(
          ([name, field]) => [name, drawn.get(field)?.(draw)] as const,
        );
        const event = { kind, ...Object.fromEntries(parts) } as Event;
        const want = [version, draw.integer(), number, parts.map(([, value]) => onWire(value))] as const;
        assert.deepEqual(encodeOccurrence(want[1], event), encode(want), `seed ${seed}`);
      }
    });
  }

  test("results", () => {
    for (const seed of seeds(500)) {
      const draw = new Draw(seed);
      const rows = draw.many(draw.of([3, 20]), () => draw.many(draw.of([5, 20]), () => draw.value()));
      const error = draw.text();
      assert.deepEqual(encodeResult(error, rows), encode([error, onWire(rows)]), `seed ${seed}`);
    }
  });

  test("large values, and small ones behind them", () => {
    for (const length of [1 << 16, 1 << 18, 3 << 19, 1, 0]) {
      for (const value of ["a".repeat(length), "漢".repeat(length), new Uint8Array(length), Array(length).fill(7)]) {
        const row = Array.isArray(value) ? value : [value];
        assert.equal(Buffer.compare(encodeResult("", [row]), encode(["", [row]])), 0);
      }
    }
  });
});

test("the encoder refuses what no column has", () => {
  for (const value of [undefined, true, 1n, {}]) assert.throws(() => encodeResult("", [[value as Value]]), TypeError);
  assert.deepEqual(encodeResult("", []), encode(["", []]));
});
