// What objects use of the platform.
import type { Value } from "./abi.ts";

/** The counts that a cursor has at its end. */
type Rows = Pick<SqlStorageCursor<Record<string, SqlStorageValue>>, "rowsRead" | "rowsWritten">;

/** Counts what an object has used since it came into memory. A facet's count lives as long as its parent is in memory. */
export class Cost {
  /** When the object came into memory, in milliseconds since 1970. */
  readonly since: number;
  statements = 0;
  /** The rows that its statements have read, by the count that the platform bills. */
  rowsRead = 0;
  rowsWritten = 0;
  /** What was sent to its clients, in bytes. A text counts its UTF-16 units: measuring its bytes would cost a pass over it. */
  down = 0;
  /** What its clients have sent, counted alike. */
  up = 0;
  /** The counts of its facets, by their slots. They go on when a facet that was evicted comes back. */
  readonly below = new Map<string, Cost>();
  /** The counts at the time when the running event asked for them. */
  #asked: Partial<Cost> | undefined;

  constructor(since: number) {
    this.since = since;
  }

  /** Counts a statement that has run to its end. */
  add({ rowsRead, rowsWritten }: Rows): void {
    this.statements++;
    this.rowsRead += rowsRead;
    this.rowsWritten += rowsWritten;
  }

  /** Has the rest of the running event not counted: an object that is inspected would count little but its inspections. */
  pause(): void {
    const { statements, rowsRead, rowsWritten, down, up } = this;
    this.#asked ??= { statements, rowsRead, rowsWritten, down, up };
  }

  /** Ends the event. */
  resume(): void {
    Object.assign(this, this.#asked);
    this.#asked = undefined;
  }
}

/**
 * The costs of the objects in memory. An object is named by its path: its root, a slash, and its slots with slashes between
 * them. An object that the platform has dropped is listed until its memory is collected.
 */
export class Costs {
  readonly #costs = new Map<string, WeakRef<Cost>>();
  readonly #collected = new FinalizationRegistry<string>((path) => {
    if (!this.#costs.get(path)?.deref()) this.#costs.delete(path);
  });

  /** Answers the count of an object that came into memory: its own, or for a facet the one that its parent keeps. */
  open(path: string, since: number, facet: boolean): Cost {
    const [parent, slot] = split(path);
    const above = facet ? this.#costs.get(parent)?.deref() : undefined;
    const kept = above?.below.get(slot);
    if (kept) return kept;
    const cost = new Cost(since);
    above?.below.set(slot, cost);
    this.#costs.set(path, new WeakRef(cost));
    this.#collected.register(cost, path);
    return cost;
  }

  /** Deletes an object and those below it. */
  delete(path: string): void {
    const [parent, slot] = split(path);
    this.#costs.get(parent)?.deref()?.below.delete(slot);
    for (const at of this.#costs.keys()) if (isWithin(path, at)) this.#costs.delete(at);
  }

  /** Answers the import cost of the object at a path, in rows. */
  ask(path: string): Value[][] {
    this.#costs.get(path)?.deref()?.pause();
    const rows: [string, ...number[]][] = [];
    for (const [at, weak] of this.#costs) {
      const cost = isWithin(path, at) && weak.deref();
      if (!cost) continue;
      const { since, statements, rowsRead, rowsWritten, down, up } = cost;
      rows.push([at.slice(path.length + 1), since, statements, rowsRead, rowsWritten, down, up]);
    }
    return rows.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Splits the path of a facet into its parent's path and its slot. */
function split(path: string): [parent: string, slot: string] {
  const at = path.lastIndexOf("/");
  return [path.slice(0, at), path.slice(at + 1)];
}

/** Whether an object is the one at a path, or below it. */
function isWithin(path: string, at: string): boolean {
  return at === path || at.startsWith(`${path}/`);
}

/** The costs of all objects of this isolate. */
export const costs = new Costs();
