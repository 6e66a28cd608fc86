// What the tests of kills hold a turn to.
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

/** A turn in which these were asked, with kills behind so many questions. */
const asking = (asked: typeof well, kills: number[]) => () =>
  turn.askedOf(
    {
      answers: asked.map(([prompt, step]) => ({ prompt, step, answered: "", prefix: "", calls: "", completed: true })),
    },
    kills,
  );

test("each step is asked once, and again behind a kill only", () => {
  expect(asking(well, [])).not.toThrow();
  const twice = well.toSpliced(3, 0, [a, 0]);
  expect(asking(twice, [3])).not.toThrow();
  expect(asking(twice, [])).toThrow();
  expect(asking(twice, [1])).toThrow(); // a kill that was before
  expect(asking(twice, [5])).toThrow(); // and one that was afterwards
  expect(asking(well.toSpliced(3, 0, [a, 0], [a, 0]), [3])).toThrow();
  expect(asking(well.toSpliced(5, 0, [a, 0]), [5])).toThrow();
  expect(asking(well.toSpliced(2, 0, [prompt, 0]), [2])).toThrow();
  expect(asking(well.concat([[b, 1]]), [6])).toThrow();
  expect(asking(well.slice(0, 5), [])).toThrow();
});
