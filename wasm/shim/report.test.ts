// The reports of ../quickjs/testdata, whose outcomes are those of the host in Go.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { engineFile, forge, forged, reports } from "../tck/script/scenario.ts";
import { Encoder } from "./encoder.ts";
import { Engine } from "./engine.ts";
import { mostReport, Reports } from "./report.ts";
import { encodeResult, state } from "./scriptcodec.ts";
import { Scripts } from "./scripts.ts";

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const engine = new Module(readFileSync(engineFile));

describe("a report has the outcome that it has in Go", () => {
  for (const each of reports()) {
    test(each.name, async () => {
      const host = new Scripts(engine);
      assert.deepEqual(await forge(each, (request) => host.run(request)), each.want);
      host.close();
    });
  }
});

test("reports by chance have the outcomes that they have in Go", async () => {
  const host = new Scripts(engine);
  for (const each of forged())
    assert.deepEqual(await forge(each, (request) => host.run(request)), each.want, each.name);
  host.close();
});

/** The reports of ../../durable/script's fuzz target, changed by chance: whatever is taken is within the limits. */
test("what is taken of a text is what JSON.parse reads in it, and takes three times its bytes at most", () => {
  const seeds = [
    '{"state":0,"calls":[{"number":1,"name":"get","json":"{}"},{"number":2,"name":"é","json":"\\"\\ud800\\""}],"lines":["a"],"words":""}',
    '{"state":2,"calls":[],"lines":["",""],"words":"\\ud834\\udd1e\\\\\\""}',
    '{"state":4,"calls":[],"lines":[],"words":"memory"}',
  ];
  const parts = [
    '"',
    "\\",
    ",",
    "[]",
    "{}",
    "1",
    "-",
    "01",
    "null",
    "\ud800",
    "é",
    "\n",
    '"state":0,',
    "memory",
    "x".repeat(600),
    "",
  ];
  let at = 7;
  const below = (n: number) => {
    at = (Math.imul(at ^ (at >>> 15), 2246822519) + 374761393) | 0;
    return ((at ^ (at >>> 13)) >>> 0) % n;
  };
  let taken = 0;
  for (let i = 0; i < 20_000; i++) {
    let text = seeds[below(seeds.length)] as string;
    for (let n = below(3); n > 0; n--) {
      const from = below(text.length + 1);
      text = text.slice(0, from) + parts[below(parts.length)] + text.slice(from + below(3));
    }
    const report = new Reports().read(text);
    if (!report) continue;
    taken++;
    assert.deepEqual(report, JSON.parse(text), text);
    assert.deepEqual(
      report.calls.map(({ number }) => number),
      report.calls.map((_, i) => i + 1),
    );
    assert.notEqual(report.state, state.gone);
    const bytes = encodeResult(new Encoder(), { ...report, value: "", work: 0, bytes: 0 });
    assert.ok(bytes.length <= 3 * Buffer.byteLength(text), text);
  }
  assert.ok(taken > 5000 && taken < 19_000, `${taken} of 20,000 texts are taken`);
});

test("a place that the engine's memory does not have is a failure of the engine", () => {
  const cases: [name: string, use: (e: Engine, size: number) => void, want: string | undefined][] = [
    ["all of it", (e, size) => e.read(size - 4, 4), undefined],
    ["the last four bytes", (e, size) => e.set(size - 4, e.get(size - 4)), undefined],
    ["nothing, at the end", (e, size) => e.read(size, 0), undefined],
    ["read behind the end", (e, size) => e.read(size, 1), "engine"],
    ["read across the end", (e, size) => e.read(size - 1, 2), "engine"],
    ["read that overflows", (e) => e.read(2 ** 32 - 1, 2 ** 32 - 1), "engine"],
    ["get across the end", (e, size) => e.get(size - 3), "engine"],
    ["set across the end", (e, size) => e.set(size - 3, 1), "engine"],
    ["what is no UTF-8", (e, size) => [e.set(size - 4, 0xff), e.read(size - 4, 1)], "engine"],
  ];
  for (const [name, use, want] of cases) {
    const e = new Engine(engine);
    use(e, e.size);
    assert.equal(e.spent, want, name);
  }
});

test("a long text is encoded without room for three bytes a character", () => {
  const before = process.memoryUsage().arrayBuffers;
  const e = new Encoder();
  e.text("x".repeat(mostReport));
  assert.ok(process.memoryUsage().arrayBuffers - before < 3 * mostReport);
});
