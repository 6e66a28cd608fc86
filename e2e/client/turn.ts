// A turn of the tests' model, and all that has to come of it.
import { isToolUIPart, type UIMessage } from "ai";
import { expect } from "vitest";
import { comparison, outcome, research } from "../model/play";
import type { Model } from "../model/server";
import type { open } from "./tab";

type Tab = Awaited<ReturnType<typeof open>>;

let turns = 0;

/** The Assistant compares two things that nobody has asked about, with a Researcher for each. */
export class Comparison {
  readonly a = `a${++turns}`;
  readonly b = `b${turns}`;
  readonly prompt = `Compare ${this.a} and ${this.b}`;

  /** Holds a tab to showing each message and each run, whole and once, and nothing that goes on. */
  shownBy(tab: Tab): void {
    const { a, b } = this;
    expect(tab.now().chat).toMatchObject({ status: "ready", isStreaming: false, isRecovering: false });
    expect(tab.roles()).toEqual(["user", "assistant"]);
    expect(tab.text()[0]).toBe(this.prompt);
    const [result, ...others] = outputs(tab.now().chat.messages[1]?.parts);
    expect(texts(tab.now().chat.messages[1]?.parts)).toEqual(comparison(a, b));
    expect([result, others]).toEqual([
      { a: { ok: true, summary: outcome(a) }, b: { ok: true, summary: outcome(b) } },
      [],
    ]);
    const runs = Object.values(tab.runs()).toSorted((x, y) => x.order - y.order);
    expect(runs.map(({ status, summary }) => [status, summary])).toEqual([
      ["completed", outcome(a)],
      ["completed", outcome(b)],
    ]);
    expect(runs.map(({ parts }) => texts(parts))).toEqual([research(a), research(b)]);
    expect(runs.map(({ parts }) => outputs(parts))).toEqual([a, b].map((topic) => [hits(topic)]));
  }

  /** Holds everybody to asking the model nothing again of which they had the answer. */
  askedOf({ answers }: Model, interruptions: number): void {
    const asked = answers.filter(({ prompt }) => [this.prompt, this.a, this.b].includes(prompt));
    for (const prompt of [this.prompt, this.a, this.b]) {
      const steps = asked.filter((answer) => answer.prompt === prompt).map(({ step }) => step);
      expect(steps).toEqual(steps.toSorted());
      expect(steps.length).toBeLessThanOrEqual(2 + interruptions);
      expect(
        new Set(asked.filter((answer) => answer.prompt === prompt && answer.step > 0).map(({ answered }) => answered))
          .size,
      ).toBe(1);
    }
    const last = asked.slice(asked.findIndex(({ prompt, step }) => prompt === this.prompt && step > 0));
    expect(last.map(({ prompt }) => prompt)).toEqual(last.map(() => this.prompt));
  }
}

const texts = (parts: UIMessage["parts"] = []) => parts.filter((part) => part.type === "text").map(({ text }) => text);

/** What tools have returned. A call that broke off half way was none. */
const outputs = (parts: UIMessage["parts"] = []) =>
  parts
    .filter(isToolUIPart)
    .filter((part) => part.errorText !== "the model's answer broke off here")
    .map((part) => part.output);

const hits = (topic: string) => [
  expect.objectContaining({ title: `${topic}: an overview` }),
  expect.objectContaining({ title: `${topic} in practice` }),
];
