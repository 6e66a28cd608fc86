// The answers that the front door has given in the last seconds.

/** How long an answer is remembered, in milliseconds. */
const lifetime = 10_000;
/** How many answers are remembered, and the longest key of one, in UTF-16 units. */
const maxAnswers = 500;
const maxKey = 8192;

/** Remembers answers by the question that they answer, for ten seconds and never longer than they are valid. */
export class Remembered<T> {
  /** The oldest answer comes first. */
  readonly #answers = new Map<string, { answer: T; end: number }>();

  get(key: string, now: number): T | undefined {
    const found = this.#answers.get(key);
    if (found && now < found.end) return found.answer;
    this.#answers.delete(key);
    return undefined;
  }

  /** Remembers an answer that is valid until a time, 0 for one without an end. The oldest is forgotten beyond the limit. */
  put(key: string, answer: T, until: number, now: number): void {
    if (key.length > maxKey) return;
    this.#answers.delete(key); // so that it becomes the last one
    this.#answers.set(key, { answer, end: Math.min(now + lifetime, until || Number.POSITIVE_INFINITY) });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > maxAnswers && oldest !== undefined) this.#answers.delete(oldest);
  }

  /** The number of answers that are remembered. */
  get size(): number {
    return this.#answers.size;
  }
}
