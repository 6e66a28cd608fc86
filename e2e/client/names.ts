// What a tab makes up has other names in the client than in Go's model of it: each stands for the other from where it
// is met first.

/** Equal but for names, which are learned; `got` in Go's names where they are known. */
export class Names {
  private readonly client = new Map<string, string>();
  private readonly go = new Map<string, string>();
  private readonly pattern: RegExp;

  constructor(tab: string) {
    this.pattern = new RegExp(`(?<![\\w.])${tab.replaceAll(".", "\\.")}-[a-z]\\d+`, "g");
  }

  /** A frame for the client, with its own names. */
  forClient(frame: unknown): string {
    return JSON.stringify(frame).replace(this.pattern, (name) => this.client.get(name) ?? name);
  }

  /** The client's name for one of Go's. */
  ofClient(name: string): string {
    return this.client.get(name) ?? name;
  }

  /** What the client says, in Go's names, so far as it is what Go expects. */
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
