// What the model is told: of large results, and of its mistakes. A model that is told what is wrong tries again.
import { afterAll, beforeAll, expect, test } from "vitest";
import { codes, made, type Output, outputOf, textOf } from "./coder";
import { School } from "./novice";

let school: School;

beforeAll(async () => {
  school = await School.open();
});

afterAll(() => school.close());

/** The most that the model is told of a result, in characters, and the most that a message may have, in bytes. */
const most = { told: 24_000, message: 1_800_000 };
const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** Code whose result has five million characters or more. */
const large = {
  "one text": 'return "x".repeat(5e6)',
  "a list of objects":
    'return Array.from({ length: 50_000 }, (_, n) => ({ n, words: "some words about it ".repeat(5) }))',
  "an object of many fields":
    'return Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => ["field " + n, "x".repeat(100)]))',
  "characters that JSON escapes": 'return "\\u0001\\"\\\\é😀".repeat(4e5)',
  "the results of many calls": "return await Promise.all(Array.from({ length: 25 }, () => tools.large({ kib: 200 })))",
  "what was logged": 'for (let n = 0; n < 1000; n++) console.log("x".repeat(5000)); return "x".repeat(5e6)',
};
for (const [what, code] of Object.entries(large)) {
  test(`B8: of a result of 5 MB, ${what}, the model is told a part that is JSON`, async () => {
    const message = await school.ask({ code });
    const [told = "", ...others] = school.told;
    expect(others).toEqual([]);
    expect([...told].length).toBeLessThanOrEqual(most.told);
    expect(JSON.parse(told), told).toMatchObject({ status: "completed" });
    expect(told).toContain("…"); // in front of what is missing
    expect(codes(message)).toMatchObject([{ state: "output-available", output: { status: "completed" } }]);
    expect(sizeOf(message)).toBeLessThanOrEqual(most.message);
  });
}

test("B8: code uses results that are too large to show, and a call whose result is too large rejects", async () => {
  const code = `const all = await Promise.all(Array.from({ length: 25 }, () => tools.large({ kib: 200 })));
    const words = await tools.large({ kib: 5000 }).catch((error) => error.message);
    return [all.join("").length, words]`;
  const message = await school.ask({ code });
  expect(outputOf(message).result).toEqual([25 * 200 * 1024, expect.stringMatching(/\d/)]);
  expect(made(message)).toHaveLength(26);
  expect(sizeOf(message)).toBeLessThanOrEqual(most.message);
});

/** Inputs that fail, and what the model is told of them. */
const mistakes: Record<string, { code: unknown; words: RegExp }> = {
  "an unknown tool": { code: "const one = 1\nreturn await tools.nothing({})", words: /nothing.*\(line 2\)/ },
  "arguments that do not fit": { code: "\nreturn await tools.echo({ sound: 1 })", words: /schema.*\(line 2\)/s },
  "an argument that is no JSON": { code: "return await tools.echo(() => 1)", words: /\(line 1\)/ },
  "a failure of a tool that is not caught": {
    code: 'return await tools.post({ url: "http://127.0.0.1:1/" })',
    words: /127\.0\.0\.1.*\(line 1\)/,
  },
  "an error of its own": { code: "\n\nthrow new TypeError('mine')", words: /^TypeError: mine \(line 3\)$/ },
  "a name that is not there": { code: "return nothing", words: /^ReferenceError: .*nothing.* \(line 1\)$/ },
  "a 201st call": { code: "\nfor (;;) await tools.echo({ words: '' })", words: /200.*\(line 2\)/ },
  "65 KiB of code": { code: `return 1 //${"x".repeat(65 << 10)}`, words: /65536|64 KiB|65,536/ },
  "a syntax error": { code: "const a = 1\nconst b = ;\nreturn b", words: /^SyntaxError: .*\(line 2\)$/ },
  "an annotation of TypeScript": {
    code: "const a = 1\nconst b: number = 2\nreturn b",
    words: /write JavaScript without types \(line 2\)/,
  },
  "no code": { code: "", words: /./ },
  "blank code": { code: " \n\t\n", words: /./ },
  "code that is no text": { code: 5, words: /./ },
  "code that waits for nothing": {
    code: "await new Promise(() => {})",
    words: /the code waits for something that nobody brings/,
  },
  "a cycle": { code: "const a = {}; a.a = a; return a", words: /circular|cycl/i },
  "a BigInt": { code: "return 1n", words: /BigInt/i },
  "a call with more than 256 KiB": {
    code: "\nreturn await tools.echo({ words: 'x'.repeat(256 << 10) })",
    words: /262144|256 KiB|262,144/,
  },
};
for (const [what, { code, words }] of Object.entries(mistakes)) {
  test(`B9: ${what} is told in words, and the model's next attempt works`, async () => {
    const message = await school.ask({ code }, { code: 'return (await tools.echo({ words: "works" })).words' });
    const [wrong, right] = codes(message);
    const output = wrong?.output as Output | undefined;
    // Input that is no call of the tool is refused like that of any other tool.
    const said = output?.error ?? wrong?.errorText ?? "";
    expect(said).toMatch(words);
    expect(school.told[0]).toContain(JSON.stringify(said).slice(1, -1));
    if (output) expect(output.status).toBe("failed");
    expect(right?.output).toMatchObject({ status: "completed", result: "works" });
    expect(textOf(message)).toBe("2 results");
  });
}

/** Code that looks wrong, and works. */
const accepted: Record<string, { code: string; result: unknown }> = {
  "an arrow function": { code: "async () => 1", result: 1 },
  "a function declaration": { code: "async function main() { return 1 }", result: 1 },
  "a last expression": { code: "const a = 1\na + 1", result: 2 },
  "a code fence": { code: "```js\nreturn 1\n```", result: 1 },
  "a function as its result": { code: "return () => 1", result: null },
  "no result": { code: "const a = 1", result: null },
  "a failure that it catches": { code: "try { await tools.nothing({}) } catch { return 'caught' }", result: "caught" },
  "a 201st call that it catches": {
    code: "let n = 0; try { for (;;) { await tools.echo({ words: '' }); n++ } } catch { return n }",
    result: 200,
  },
  "a tool whose name is no identifier": { code: 'return (await tools.echo_twice({ words: "a" })).words', result: "aa" },
  "a sleep": { code: "await sleep(1); return 'awake'", result: "awake" },
  "a search of signatures": { code: 'return (await search("words twice")).includes("echo_twice")', result: true },
  "help for a tool": { code: 'return (await help("echo")).includes("words")', result: true },
  "20 calls at once": {
    code: 'return (await Promise.all(Array.from({ length: 20 }, (_, n) => tools.echo({ words: "" + n })))).map(({ words }) => words).join("")',
    result: Array.from({ length: 20 }, (_, n) => n).join(""),
  },
};
for (const [what, { code, result }] of Object.entries(accepted)) {
  test(`${what} is accepted`, async () => {
    const [call] = codes(await school.ask({ code }));
    expect(call?.output).toMatchObject({ status: "completed", result });
  });
}
