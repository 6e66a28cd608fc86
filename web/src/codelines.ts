/** How many lines of long code are shown first. */
const first = 12;

/** Code that is longer by so few lines is shown whole. */
const few = 3;

/** linesOf splits code into its lines. Empty lines at the end are left out. */
export function linesOf(code: string): string[] {
  return code.trimEnd().split(/\r?\n/);
}

/** errorLine is the number of the line that an error names at its end, if the code has so many lines. */
export function errorLine(error: string | undefined, lines: number): number | undefined {
  const line = Number(/\(line (\d+)\)\s*$/.exec(error ?? "")?.[1]);
  return line >= 1 && line <= lines ? line : undefined;
}

/** A line with more characters is first shown in part. */
const wide = 400;

/** isWide says whether a line is first shown in part. */
export function isWide(line: string): boolean {
  return line.length > wide;
}

/** isLong says whether code is first shown in part. */
export function isLong(lines: readonly string[]): boolean {
  return hasMany(lines.length) || lines.some(isWide);
}

function hasMany(lines: number): boolean {
  return lines > first + few;
}

/**
 * shownLines lists the numbers of the lines that are shown, from 1: all of them, or of many the first ones, and a
 * marked line with its neighbours. 0 stands for lines between them that are left out.
 */
export function shownLines(lines: number, marked: number | undefined, whole: boolean): number[] {
  if (whole || !hasMany(lines)) return range(1, lines);
  const head = range(1, first);
  if (marked === undefined || marked <= first) return head;
  const from = Math.max(marked - 1, first + 1);
  const gap = from > first + 1 ? [0] : [];
  return [...head, ...gap, ...range(from, Math.min(marked + 1, lines))];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
