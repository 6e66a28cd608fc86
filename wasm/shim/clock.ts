// The clock of the objects. In development it can be moved, to see what happens an hour later.

/** Milliseconds with an optional sign: +3600000 is an hour ahead. */
const shift = /^[+-]?\d{1,13}$/;

/** Reads TRIBUTARY_CLOCK, which has an effect in development only. Elsewhere the time is the platform's. */
export class Clock {
  readonly #ahead: number;

  constructor({ TRIBUTARY_ENV, TRIBUTARY_CLOCK }: Record<string, unknown>) {
    const moved = TRIBUTARY_ENV === "development" && TRIBUTARY_CLOCK !== undefined && TRIBUTARY_CLOCK !== "";
    if (moved && !shift.test(String(TRIBUTARY_CLOCK)))
      throw new RangeError(`TRIBUTARY_CLOCK is "${TRIBUTARY_CLOCK}", not a number of milliseconds such as +3600000`);
    this.#ahead = moved ? Number(TRIBUTARY_CLOCK) : 0;
  }

  /** The time of events, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Converts a time of this clock to the platform's clock. */
  platform(at: number): number {
    return at - this.#ahead;
  }
}
