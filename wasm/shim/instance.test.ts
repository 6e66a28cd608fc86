// Instances of a small module that Go's tests have written by hand. Its memory shows what a host does to it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { encode } from "@msgpack/msgpack";
import { maxStatements } from "./abi.ts";
import { VersionError } from "./codec.ts";
import { Instance, type Ports, Trap } from "./instance.ts";
import { Scripts } from "./scripts.ts";

interface Golden {
  module: string;
  scripts: string;
  row: string[];
  cases: {
    name: string;
    script?: boolean;
    calls: { statement: string; room: number; random: number }[];
    changed: Record<string, string>;
  }[];
}

const golden = JSON.parse(readFileSync(join(import.meta.dirname, "../host/testdata/memory.json"), "utf8")) as Golden;
const none = new Uint8Array();

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const compile = (hex: string) => new Module(Buffer.from(hex, "hex"));

const engine = new Module(readFileSync(join(import.meta.dirname, "../../internal/embedded/quickjs/quickjs.wasm")));

const ports: Ports = {
  now: () => 1,
  seed: () => {},
  random: (bytes) => void Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).write("random"),
  write: () => {},
  log: () => {},
  scripts: () => new Scripts(engine),
};

describe("what the imports do to the memory", () => {
  for (const { name, script, calls, changed } of golden.cases) {
    test(name, () => {
      const instance = new Instance(compile(script ? golden.scripts : golden.module), ports);
      const sql = () => [[...golden.row]];
      const before = instance.open(0, none, sql);
      for (const { statement, room, random } of calls) {
        if (random > 0) instance.close(random);
        else instance.step(room, Buffer.from(statement, "hex"), sql);
      }
      assert.deepEqual(runs(before, instance.open(0, none, sql)), changed);
    });
  }
});

test("a module of another version is refused before it runs", () => {
  const hex = (text: string) => Buffer.from(text).toString("hex");
  const other = golden.module.replaceAll(hex("tributary_v4"), hex("tributary_v5"));
  assert.throws(() => new Instance(compile(other), ports), VersionError);
  assert.throws(() => new Instance(compile(other), ports), /host speaks version 4, the module speaks version 5/);
  const strange = golden.module.replaceAll(hex("tributary_v4"), hex("tributary_vx"));
  assert.throws(() => new Instance(compile(strange), ports), /host speaks version 4, the module speaks version x/);
  assert.throws(() => new Instance(compile("0061736d01000000"), ports), /no module of Tributary/);
});

test("a module that runs scripts is refused where there is no engine", () => {
  const { scripts: _, ...without } = ports;
  assert.throws(() => new Instance(compile(golden.scripts), without), /this Worker has no engine/);
  assert.equal(new Instance(compile(golden.module), without).dead, false);
});

test("a request for scripts that is malformed traps", () => {
  const instance = new Instance(compile(golden.scripts), ports);
  assert.throws(() => instance.step(64, Uint8Array.of(0x90), () => []), Trap);
  assert.equal(instance.dead, true);
});

test("an instance is dead after anything is thrown", () => {
  const random = () => {
    throw new Error("no randomness");
  };
  const instance = new Instance(compile(golden.module), { ...ports, random });
  assert.throws(
    () => instance.close(8),
    (error) => error instanceof Trap && /no randomness/.test(error.message),
  );
  assert.equal(instance.dead, true);
  assert.throws(() => instance.step(1, none, () => []), /this instance is dead/);
  instance.close(8);
});

test("invalid pointers trap", () => {
  const random = () => assert.fail("the host was reached");
  const instance = new Instance(compile(golden.module), { ...ports, random });
  assert.throws(() => instance.close(64_000), Trap);
});

test("a result that the guest has fetched is not kept", () => {
  const instance = new Instance(compile(golden.module), ports);
  const step = (room: number, statement = "") =>
    Buffer.from(instance.step(room, Buffer.from(statement, "hex"), () => [golden.row])).readUInt32LE();
  assert.deepEqual([step(45, "93a1730090"), step(46), step(46)], [46, 46, 0]);
});

test("an error of storage is the statement's result", () => {
  const instance = new Instance(compile(golden.module), ports);
  const reply = instance.step(100, Buffer.from("93a1730090", "hex"), () => {
    throw new Error("no such table");
  });
  assert.equal(instance.dead, false);
  const result = instance.open(0, none, () => []).subarray(4096 - 4, 4096 - 4 + Buffer.from(reply).readUInt32LE());
  assert.equal(Buffer.from(result).toString("latin1"), "\x92\xadno such table\x90");
});

describe("statements by number", () => {
  /** Passes statements to an instance, and returns the texts that storage was given. */
  const run = (instance: Instance, ...statements: [sql: string, number: number][]) => {
    const ran: string[] = [];
    for (const [sql, number] of statements)
      instance.step(64, encode([sql, number, []]), (text) => {
        ran.push(text);
        return [];
      });
    return ran;
  };
  const full = Array.from({ length: maxStatements }, (_, i): [string, number] => [`${i}`, i + 1]);

  test("a numbered text is kept for the life of an instance", () => {
    const instance = new Instance(compile(golden.module), ports);
    const ran = run(instance, ["a", 1], ["b", 0], ["c", 2], ["", 1], ["", 2], ["b", 0]);
    assert.deepEqual(ran, ["a", "b", "c", "a", "c", "b"]);
  });

  const refusals: [title: string, before: [string, number][], last: [string, number], want: RegExp][] = [
    ["a number without a text", [], ["", 1], /statement 1 after 0/],
    ["a negative number", full.slice(0, 1), ["", -1], /statement -1 after 1/],
    ["a number left out", full.slice(0, 1), ["s", 3], /statement 3 after 1/],
    ["a number given twice", full.slice(0, 1), ["s", 1], /statement 1 after 1/],
    ["more texts than are kept", full, ["s", maxStatements + 1], /statement 513 after 512/],
  ];
  for (const [title, before, last, want] of refusals) {
    test(`${title} traps`, () => {
      const instance = new Instance(compile(golden.module), ports);
      run(instance, ...before);
      assert.throws(() => run(instance, last), want);
      assert.equal(instance.dead, true);
    });
  }
});

/** The ranges of changed bytes, by address. The memory that is shown begins at 4. */
function runs(before: Uint8Array, after: Uint8Array): Record<string, string> {
  const out: Record<string, string> = {};
  for (let i = 0; i < after.length; i++) {
    const start = i;
    while (i < after.length && before[i] !== after[i]) i++;
    if (i > start) out[start + 4] = Buffer.from(after.subarray(start, i)).toString("hex");
  }
  return out;
}
