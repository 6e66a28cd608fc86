// The checks that the tests of kills apply to a turn.
import { expect, test } from "vitest";
import { Comparison } from "./turn";

const turn = new Comparison();
const { prompt, a, b } = turn;
const well: [prompt: string, step: number][] = [
  [prompt, 0],
  [a, 0],
  [b, 0],
  [a, 1],
  [b, 1],
  [prompt, 1],
];

/** Checks a turn in which these questions were asked, with kills after the given numbers of questions. */
const asking = (asked: typeof well, kills: number[]) => () =>
  turn.askedOf(
    {
      answers: asked.map(([prompt, step]) => ({ prompt, step, answered: "", prefix: "", calls: "", completed: true })),
    },
    kills,
  );

test("each step is asked once, and again only after a kill", () => {
  expect(asking(well, [])).not.toThrow();
  const twice = well.toSpliced(3, 0, [a, 0]);
  expect(asking(twice, [3])).not.toThrow();
  expect(asking(twice, [])).toThrow();
  expect(asking(twice, [1])).toThrow(); // the kill came before
  expect(asking(twice, [5])).toThrow(); // the kill came afterwards
  expect(asking(well.toSpliced(3, 0, [a, 0], [a, 0]), [3])).toThrow();
  expect(asking(well.toSpliced(5, 0, [a, 0]), [5])).toThrow();
  expect(asking(well.toSpliced(2, 0, [prompt, 0]), [2])).toThrow();
  expect(asking(well.concat([[b, 1]]), [6])).toThrow();
  expect(asking(well.slice(0, 5), [])).toThrow();
});
