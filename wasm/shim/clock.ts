// The clock that objects live by. On a developer's machine it can be moved, to see what is there an hour later.

/** Milliseconds, with a sign where it is wanted: +3600000 is an hour ahead. */
const shift = /^[+-]?\d{1,13}$/;

/** Reads TRIBUTARY_CLOCK, which has a meaning in development only: elsewhere time is the platform's. */
export class Clock {
  readonly #ahead: number;

  constructor({ TRIBUTARY_ENV, TRIBUTARY_CLOCK }: Record<string, unknown>) {
    const moved = TRIBUTARY_ENV === "development" && TRIBUTARY_CLOCK !== undefined && TRIBUTARY_CLOCK !== "";
    if (moved && !shift.test(String(TRIBUTARY_CLOCK)))
      throw new RangeError(`TRIBUTARY_CLOCK is "${TRIBUTARY_CLOCK}", not a number of milliseconds such as +3600000`);
    this.#ahead = moved ? Number(TRIBUTARY_CLOCK) : 0;
  }

  /** The time that events carry, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** When the platform's own clock shows what this one shows at a time. */
  platform(at: number): number {
    return at - this.#ahead;
  }
}
