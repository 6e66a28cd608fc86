// What the tools of the demo server do, kept in memory.
import { randomUUID } from "node:crypto";
import { escaped, page } from "./http.ts";

/** sheets is how many steps printing takes. */
export const sheets = 5;

export class Office {
  readonly notes: string[] = [];
  readonly bookings: string[] = [];
  /** The names of the tools that were called, one for each call that was begun. */
  readonly calls: string[] = [];
  /** What tools say of themselves in place of their own words. */
  readonly described = new Map<string, string>();
  readonly #origin: string;
  readonly #pace: () => Promise<unknown>;
  readonly #asked = new Set<string>();
  readonly #letters = new Map<string, boolean>();

  constructor(origin: string, pace: () => Promise<unknown>) {
    this.#origin = origin;
    this.#pace = pace;
  }

  /** Notes that a question was asked. What is returned comes back with its answer. */
  ask(): string {
    const state = randomUUID();
    this.#asked.add(state);
    return state;
  }

  /** Takes the answer to a question. It throws for a question that was not asked, or was answered before. */
  answered(state: string | undefined): void {
    if (!this.#asked.delete(state ?? "")) throw new Error("this was not asked");
  }

  /** Does slow work in steps, and tells of each. */
  async work(steps: number, tell: (done: number) => Promise<void>): Promise<void> {
    for (let done = 0; done < steps; done++) {
      await tell(done);
      await this.#pace();
    }
  }

  /** Prints a book, in steps of which it tells, and returns words about it. */
  async print(title: string, tell: (done: number) => Promise<void>): Promise<string> {
    await this.work(sheets, tell);
    return `“${title}” is printed and bound.`;
  }

  /** The link under which a letter is signed. */
  letter(): string {
    const id = randomUUID();
    this.#letters.set(id, false);
    return `${this.#origin}/sign/${id}`;
  }

  isSigned(link: string): boolean {
    return this.#letters.get(link.slice(link.lastIndexOf("/") + 1)) === true;
  }

  /** Answers for the page on which a letter is signed; undefined for any other. */
  page(request: Request): Response | undefined {
    const [, id = ""] = /^\/sign\/([\w-]+)$/.exec(new URL(request.url).pathname) ?? [];
    if (!this.#letters.has(id)) return undefined;
    if (request.method === "POST") this.#letters.set(id, true);
    if (this.#letters.get(id))
      return page("Signed", "<p>You can close this tab, and say in the chat that it is done.</p>");
    return page(
      "A letter",
      `<form method="post" action="/sign/${escaped(id)}"><p>Dear demo,</p><button>Sign it</button></form>`,
    );
  }
}
