// The client and Go's model of a tab make up different ids. An id of the one stands for the id of the other that first
// occurs in its place.

/** Compares values except for ids, which it learns. It translates `got` to Go's ids as far as they are known. */
export class Names {
  private readonly client = new Map<string, string>();
  private readonly go = new Map<string, string>();
  private readonly pattern: RegExp;

  constructor(tab: string) {
    this.pattern = new RegExp(`(?<![\\w.])${tab.replaceAll(".", "\\.")}-[a-z]\\d+`, "g");
  }

  /** A frame for the client, with the client's ids. */
  forClient(frame: unknown): string {
    return JSON.stringify(frame).replace(this.pattern, (name) => this.client.get(name) ?? name);
  }

  /** The client's id for one of Go's ids. */
  ofClient(name: string): string {
    return this.client.get(name) ?? name;
  }

  /** What the client sends or shows, in Go's ids, as far as it equals what Go expects. */
  translate(got: unknown, want: unknown): unknown {
    if (typeof got === "string" && typeof want === "string") return this.name(got, want);
    if (Array.isArray(got)) return got.map((v, i) => this.translate(v, Array.isArray(want) ? want[i] : undefined));
    if (typeof got !== "object" || got === null) return got;
    const expected = typeof want === "object" && want !== null ? (want as Record<string, unknown>) : {};
    return Object.fromEntries(Object.entries(got).map(([key, v]) => [key, this.translate(v, expected[key])]));
  }

  private name(got: string, want: string): string {
    const known = this.go.get(got);
    if (known !== undefined) return known;
    if (want.replace(this.pattern, "") !== "" || want === "" || this.client.has(want)) return got;
    this.client.set(want, got);
    this.go.set(got, want);
    return want;
  }
}
