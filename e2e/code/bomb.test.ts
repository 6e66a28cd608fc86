// Code that would never end, or take all memory. It ends with words, and other conversations of the process are served
// between two such runs. bench/group/code.ts measures how long they wait.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freshName, Office, until } from "../workflow/office";
import { Coder, directive, outputOf } from "./coder";

let office: Office;

beforeAll(async () => {
  office = await Office.open({ config: inject("code") });
});

afterAll(() => office.close());

const bombs = [
  { what: "an endless loop", code: "for (;;) {}", words: /\bworked for too long\b/ },
  {
    what: "a search through megabytes",
    code: "for (let i = 0; i < 50; i++) 'a'.repeat(5e5).indexOf('a'.repeat(2e5) + 'b')",
    words: /\bworked for too long\b/,
  },
  {
    what: "a regular expression",
    code: "return /(a+)+$/.test('a'.repeat(50) + 'b')",
    words: /\bworked for too long\b/,
  },
  { what: "an endless recursion", code: "const f = () => f() + 1; return f()", words: /calls itself too deep/ },
  { what: "an array that grows", code: "const all = []; for (;;) all.push('x'.repeat(1000))", words: /memory/ },
  { what: "endless promises", code: "for (;;) await null", words: /\bworked for too long\b/ },
  { what: "an error that is made again", code: "for (;;) try { throw 1 } catch {}", words: /\bworked for too long\b/ },
];

for (const { what, code, words } of bombs) {
  test(`B4: ${what} is a result with words, and others are served`, async () => {
    const bomber = await Coder.open(office, freshName());
    const other = await Coder.open(office, freshName());
    await other.over(await other.say("hi chunks=1"));
    const began = until(() => expect(bomber.frames.join()).toContain("tool-input-available"));
    const turns = [];
    for (let i = 0; i < 3; i++) turns.push(await bomber.say(directive(code)));
    /** How many of the bombs had gone off when the other conversation had its pong, and its first word. */
    const gone = () => bomber.frames.filter((frame) => frame.includes("tool-output-")).length;
    const at = { asked: 0, pong: -1, word: -1 };
    other.frames.length = 0;
    other.heard = (frame) => {
      if (frame === "pong" && at.pong < 0) at.pong = gone();
      if (frame.includes("text-delta") && at.word < 0) at.word = gone();
    };
    await began;
    at.asked = gone();
    other.send("ping");
    await other.over(await other.say("hi chunks=1"));
    for (const turn of turns) {
      const { status, error } = outputOf(await bomber.over(turn));
      expect([status, error]).toEqual(["failed", expect.stringMatching(words)]);
    }
    await until(() => expect(Math.min(at.pong, at.word)).toBeGreaterThanOrEqual(0));
    // At most one was under way when each of the two was asked for.
    expect(at.pong).toBeLessThanOrEqual(at.asked + 1);
    expect(at.word).toBeLessThanOrEqual(at.asked + 2);
    expect(outputOf(await bomber.shown("return 6 * 7"))).toMatchObject({ status: "completed", result: 42 });
    bomber.close();
    other.close();
  });
}
