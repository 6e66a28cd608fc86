// The program of examples/headless, which uses the Go client, against a Worker that is killed in the middle of answers.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { comparison, outcome } from "../model/script";
import { type Model, model } from "../model/server";
import { kill } from "../workerd";

let folder: string;
let player: Model;
let server: Dev;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tributary-program-"));
  player = await model(10);
  const build = ["build", "-C", "examples/headless", "-o", join(folder, "ask"), "./cmd/ask"];
  [server] = await Promise.all([
    dev({ state: join(folder, "state"), vars: player.vars }),
    promisify(execFile)("go", build),
  ]);
});

afterAll(async () => {
  await server.stop();
  player.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the program, and calls watch with all that it has written whenever it has written more. */
async function ask(args: string[], watch: (out: string, notes: string) => void = () => {}) {
  const child = spawn(join(folder, "ask"), ["-url", server.url, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, notes] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    watch(out, notes);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
    watch(out, notes);
  });
  const [code] = await once(child, "close");
  return { code, out, notes };
}

/** When the Worker is killed: at the first output for which this holds. */
const moments: Record<string, (out: string, notes: string, length: number) => boolean> = {
  never: () => false,
  "at its first word": (out) => out !== "",
  "in its first text": (out) => out.length > 20,
  "when a helper has begun": (_, notes) => notes.includes("begins"),
  "when a helper searches": (_, notes) => notes.includes("web_search"),
  "when a helper has finished": (_, notes) => notes.includes("finished"),
  "in its last text": (out, _, length) => out.length > 0.7 * length,
};

for (const [round, [when, due]] of Object.entries(moments).entries()) {
  test(`an answer comes whole, and once, if the server is killed ${when}`, async () => {
    const [a, b] = [`left${round}`, `right${round}`];
    const text = `${comparison(a, b).join("\n\n")}\n`;
    let kills = 0;
    const asked = player.answers.length;
    const name = ["-name", `program-${round}`];
    const { code, out, notes } = await ask([...name, `Compare ${a} and ${b}`], (out, notes) => {
      if (kills > 0 || !due(out, notes, text.length)) return;
      kills++;
      kill(server, join(folder, "state"));
    });
    expect({ code, out, kills }).toEqual({ code: 0, out: text, kills: when === "never" ? 0 : 1 });
    expect(lines(notes, "[compare ")).toHaveLength(1);
    for (const word of ["begins", "finished"]) {
      const runs = lines(notes, word).map((line) => line.trim().split(":")[0]);
      expect(new Set(runs).size).toBe(2);
      expect(runs).toHaveLength(2);
    }
    // The question was taken once: its first step was asked once more at most, by the kill.
    const first = player.answers.slice(asked).filter(({ prompt, step }) => prompt.startsWith("Compare ") && step === 0);
    expect(first.length).toBeLessThanOrEqual(1 + kills);
    const stored = await ask([...name, "-messages"]);
    expect(stored).toMatchObject({ code: 0, out: `user: Compare ${a} and ${b}\nassistant: ${text}` });
    const [run = ""] = lines(notes, "begins").map((line) => line.trim().split(":")[0]);
    const followed = await ask([...name, "-run", run]);
    expect(followed.code).toBe(0);
    expect([a, b].map((topic) => outcome(topic).replaceAll("\n\n", "").trim())).toContain(followed.out.trim());
    expect(lines(followed.notes, "finished")).toHaveLength(1);
  });
}

test("another program goes on with an answer that was left, and finds none behind its end", async () => {
  const name = ["-name", "program-left"];
  const left = spawn(join(folder, "ask"), ["-url", server.url, ...name, "Compare here and there"]);
  await once(left.stdout, "data");
  const release = player.hold();
  left.kill("SIGKILL");
  const { code, out } = await ask([...name, "-attach"], release);
  expect({ code, out }).toEqual({ code: 0, out: `${comparison("here", "there").join("\n\n")}\n` });
  const idle = await ask([...name, "-attach"]);
  expect(idle).toEqual({ code: 1, out: "", notes: "ask: client: no answer is under way\n" });
});

test("an interrupt stops the answer on the server", async () => {
  const name = ["-name", "program-stopped"];
  const stopped = spawn(join(folder, "ask"), ["-url", server.url, ...name, "Compare this and that"]);
  await once(stopped.stdout, "data");
  const release = player.hold();
  stopped.kill("SIGINT");
  expect((await once(stopped, "close"))[0]).toBe(0);
  const { out } = await ask([...name, "-attach"]); // until the stop has come to the answer
  release();
  expect(comparison("this", "that").join("\n\n").length).toBeGreaterThan(out.length);
  const stored = await ask([...name, "-messages"]);
  expect(stored.out.length).toBeLessThan(comparison("this", "that").join("").length);
});

test("a method is called, and one that the agent does not have is one sentence", async () => {
  const { code, out } = await ask(["-name", "program-methods", "-call", "runs"]);
  expect({ code, runs: JSON.parse(out) }).toEqual({ code: 0, runs: [] });
  const unknown = await ask(["-name", "program-methods", "-call", "nothing"]);
  expect(unknown).toMatchObject({ code: 1, notes: "ask: client: nothing: Method nothing does not exist\n" });
});

test("a conversation that is refused is one sentence", async () => {
  const { code, out, notes } = await ask(["-agent", "Nobody", "hello"]);
  expect({ code, out, notes }).toEqual({
    code: 1,
    out: "",
    notes: "ask: client: the server answers 400 Invalid request\n",
  });
});

const lines = (text: string, word: string) => text.split("\n").filter((line) => line.includes(word));
