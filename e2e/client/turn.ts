// A turn of the tests' model, and the checks of its outcome.
import { isToolUIPart, type UIMessage } from "ai";
import { expect } from "vitest";
import { comparison, outcome, research } from "../model/script";
import type { Model } from "../model/server";
import type { open } from "./tab";

type Tab = Awaited<ReturnType<typeof open>>;

let turns = 0;

/** How many other questions of a turn may be on their way beside one: those of its two helpers. */
const underWay = 2;

/** The Assistant compares two things that no other turn has asked about, with a Researcher for each. */
export class Comparison {
  readonly a = `a${++turns}`;
  readonly b = `b${turns}`;
  readonly prompt = `Compare ${this.a} and ${this.b}`;

  /** Checks that a tab shows each message and each run completely and once, and nothing that is still active. */
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

  /**
   * Checks that the model is never asked again for an answer that was received. A question is asked again only after a
   * kill. Each kill is given by the number of questions before it. A question that was on its way then may be counted
   * behind the kill, and its answer is never completed.
   */
  askedOf({ answers }: Pick<Model, "answers">, kills: number[]): void {
    const asked = answers.map((answer, at) => ({ ...answer, at }));
    const helpers = [this.a, this.b].map((topic) => asked.filter(({ prompt }) => prompt === topic));
    const own = asked.filter(({ prompt }) => prompt === this.prompt);
    for (const questions of [own, ...helpers]) {
      const steps = questions.map(({ step }) => step);
      expect(steps).toEqual(steps.toSorted());
      expect(new Set(steps).size).toBe(2);
      // The same tool calls were answered, in spite of the kills.
      expect(new Set(questions.filter(({ step }) => step > 0).map(({ answered }) => answered)).size).toBe(1);
      for (const [i, { step, at }] of questions.entries()) {
        const before = questions[i - 1];
        if (before?.step !== step) continue;
        const from = before.completed ? before.at + 1 : before.at - underWay;
        expect(
          kills.some((kill) => from <= kill && kill <= at),
          `step ${step} is asked again without a kill`,
        ).toBe(true);
      }
    }
    // A helper is asked after the model's first answer has come, and the Assistant goes on after the last answers to
    // the helpers have come.
    const [first, second] = [own.filter(({ step }) => step === 0), own.filter(({ step }) => step > 0)];
    for (const questions of helpers) {
      expect(first.at(-1)?.at).toBeLessThan(questions[0]?.at ?? -1);
      expect(questions.at(-1)?.at).toBeLessThan(second[0]?.at ?? -1);
    }
  }
}

const texts = (parts: UIMessage["parts"] = []) => parts.filter((part) => part.type === "text").map(({ text }) => text);

/** The outputs of tools. A call that broke off has none. */
const outputs = (parts: UIMessage["parts"] = []) =>
  parts
    .filter(isToolUIPart)
    .filter((part) => part.errorText !== "the model's answer broke off here")
    .map((part) => part.output);

const hits = (topic: string) => [
  expect.objectContaining({ title: `${topic}: an overview` }),
  expect.objectContaining({ title: `${topic} in practice` }),
];
