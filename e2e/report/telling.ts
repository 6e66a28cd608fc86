// What a runner of tests tells while it runs: each failure as it happens, with the command that repeats it, and what
// runs now. cmd/part shows the newest of the lines that begin with "now: ".

export interface Failure {
  /** What went wrong, in as many lines as it takes. */
  said: string;
  /** The command that runs the test again. */
  repeat: string;
}

export class Telling {
  readonly #running = new Map<string, string>();
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #told = "";
  readonly print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.print = print;
  }

  /** A test, or a file of tests, begins. */
  begin(id: string, name: string): void {
    this.#running.set(id, name);
    this.#now();
  }

  /** A file of tests has ended. Its tests are counted by themselves. */
  close(id: string): void {
    this.#running.delete(id);
  }

  /** Says that something long has passed, and how long it took, in milliseconds. */
  took(name: string, duration: number): void {
    this.print(`ok  ${(duration / 1000).toFixed(1).padStart(6)}s  ${name}`);
  }

  pass(id: string): void {
    this.#passed++;
    this.#end(id);
  }

  skip(id: string): void {
    this.#skipped++;
    this.#end(id);
  }

  fail(id: string, name: string, { said, repeat }: Failure): void {
    this.#failed++;
    this.print(`--- FAIL: ${name}`);
    this.print(said.replace(/^/gm, "    "));
    this.print(`\trepeat it with: ${draw()}${repeat}`);
    this.#end(id);
  }

  /** Prints how many tests have passed. */
  over(): void {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : "";
    this.print(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
  }

  #end(id: string): void {
    this.#running.delete(id);
    this.#now();
  }

  #now(): void {
    const names = [...this.#running.values()];
    const told = `now: ${this.#passed} passed, ${this.#failed} failed; ${names.slice(0, 2).join(", ")}`;
    if (names.length > 0 && told !== this.#told) this.print(told);
    this.#told = told;
  }
}

/** A word as a shell reads it. */
export const quote = (word: string): string =>
  /^[\w\-+=./:,@%]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A text as a regular expression that matches nothing else. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const draw = (): string => (process.env.TRIBUTARY_DRAW ? `TRIBUTARY_DRAW=${quote(process.env.TRIBUTARY_DRAW)} ` : "");
