// What a box reports. Code of a model that has come to the prelude's own functions writes a report as it likes, so a host
// takes none for what it says. ../quickjs/README.md has the rule, and
// ../../durable/script/report.go is the same in Go.
import { type Result, state } from "./scriptcodec.ts";

/** The length of a report in bytes, and that of a value. */
export const mostReport = 8 << 20;
export const mostValue = 24 << 20;

/** How many calls and lines a box may report in its life, and how many UTF-16 units the texts of a report may have. */
const most = { calls: 10_000, lines: 201, name: 200, input: 1 << 20, line: 500, words: 5000 };

/** A report of the prelude. */
export type Report = Pick<Result, "state" | "calls" | "lines" | "words">;

/** Reads the reports of one box. */
export class Reports {
  #calls = 0;
  #lines = 0;

  /** Returns a report, or nothing if a text is not exactly what the prelude would write at this point. */
  read(text: string): Report | undefined {
    try {
      return this.#read(new Cursor(text));
    } catch {
      return undefined; // the cursor has come to something else, or there is no memory for the texts
    }
  }

  #read(cursor: Cursor): Report {
    cursor.token('{"state":');
    const how = cursor.number();
    cursor.token(',"calls":[');
    const calls = cursor.list(() => this.#call(cursor));
    cursor.token(',"lines":[');
    const lines = cursor.list(() => this.#line(cursor));
    cursor.token(',"words":');
    const words = cursor.text(most.words);
    cursor.token("}");
    cursor.end();
    if (!consistent(how, words)) throw new TypeError("a report of a state that is not for the code to tell");
    return { state: how, calls, lines, words };
  }

  #call(cursor: Cursor): Report["calls"][number] {
    cursor.token('{"number":');
    const number = cursor.number();
    cursor.token(',"name":');
    const name = cursor.text(most.name);
    cursor.token(',"json":');
    const json = cursor.text(most.input);
    cursor.token("}");
    if (number !== ++this.#calls || number > most.calls) throw new RangeError("a call of another number");
    return { number, name, json };
  }

  #line(cursor: Cursor): string {
    if (++this.#lines > most.lines) throw new RangeError("too many lines");
    return cursor.text(most.line);
  }
}

/** Says whether words belong to a state. Whether a box is gone, and how much work is left, is known to its host alone. */
function consistent(how: number, words: string): boolean {
  if (how === state.waits || how === state.done) return words === "";
  return how === state.failed || (how === state.spent && (words === "memory" || words === "stack"));
}

/** Reads a text from its beginning, and throws at the first thing that is not what is wanted. */
class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads a part that is always the same. */
  token(want: string): void {
    if (!this.#text.startsWith(want, this.#at)) throw new SyntaxError(`${want} expected`);
    this.#at += want.length;
  }

  end(): void {
    if (this.#at !== this.#text.length) throw new SyntaxError("more behind the report");
  }

  /** Reads the elements of a list and what is behind it. */
  list<T>(element: () => T): T[] {
    const elements: T[] = [];
    while (this.#text[this.#at] !== "]") {
      if (elements.length > 0) this.token(",");
      elements.push(element());
    }
    this.#at++;
    return elements;
  }

  /** Reads a number of at most five digits. */
  number(): number {
    const [digits] = /^(0|[1-9]\d{0,4})(?!\d)/.exec(this.#text.slice(this.#at, this.#at + 6)) ?? [];
    if (digits === undefined) throw new SyntaxError("a number expected");
    this.#at += digits.length;
    return Number(digits);
  }

  /** Reads a quoted text of at most so many units. A unit takes six characters at most. */
  text(units: number): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (end > 0 && this.#escaped(end, start));
    if (this.#text[start] !== '"' || end < 0 || end - start > 6 * units + 1) throw new SyntaxError("a text expected");
    this.#at = end + 1;
    const text = JSON.parse(this.#text.slice(start, end + 1)) as string; // it has quotes around it
    if (text.length > units) throw new RangeError("a text that is too long");
    return text;
  }

  /** Says whether a quote has an odd number of backslashes before it. */
  #escaped(quote: number, start: number): boolean {
    let before = quote;
    while (before - 1 > start && this.#text[before - 1] === "\\") before--;
    return (quote - before) % 2 === 1;
  }
}
