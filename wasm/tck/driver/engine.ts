// Objects by name, each on a database in memory. It is the twin of ../../host/engine.go, on the shim.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Event, Value } from "../../shim/abi.ts";
import { Containment } from "../../shim/containment.ts";
import { Instance, type Ports, type Sql } from "../../shim/instance.ts";
import { ObjectRunner } from "../../shim/runner.ts";
import { rand } from "./rand.ts";

/** The first event of an in-memory part. */
export type Opened = Extract<Event, { kind: "Opened" }>;

interface Cell {
  runner: ObjectRunner;
  containment: Containment;
  opened: Opened;
}

export class Engine {
  readonly #cells = new Map<string, Cell>();
  readonly #shared: Containment;
  /** Returns the containment of a new object. */
  readonly #containment: () => Containment;
  #now = 1;
  #at = 0;
  #trace: Uint8Array[][] = [];
  /** The indexes in the trace of calls whose transactions have committed. */
  #committed: number[] = [];

  constructor(module: WebAssembly.Module, seed: number, maxMemory: number, mode: string) {
    const ports: Ports = {
      now: () => this.#now,
      seed: rand(~seed),
      random: rand(seed),
      write: (text) => process.stderr.write(text),
      log: () => {},
      trace: (call, ...bytes) => this.#trace.push([new TextEncoder().encode(call), ...bytes.map((b) => b.slice())]),
    };
    const make = () => new Instance(module, ports);
    this.#shared = new Containment(make, maxMemory);
    this.#containment = () => (mode === "object" ? new Containment(make, maxMemory, 0) : this.#shared);
  }

  /** Delivers an event to an object, or opens the object where there is no event. */
  step(name: string, at: number, opened: Opened, event: Event | undefined): void {
    this.#at = at;
    this.#now = Math.max(this.#now, at);
    const cell = this.#cell(name, opened);
    cell.opened = opened;
    if (event) cell.runner.deliver(event);
    else cell.runner.open();
  }

  /** Lists the objects that are open. */
  awake(): string[] {
    return [...this.#cells].filter(([, { runner }]) => runner.awake).map(([name]) => name);
  }

  evict(name: string): void {
    this.#cells.get(name)?.runner.registration.leave();
  }

  /** Lets a time come at which nothing happens. */
  expire(at: number): void {
    this.#shared.expire(at);
    for (const { containment } of this.#cells.values()) containment.expire(at);
  }

  restart(): void {
    this.#shared.drop();
    for (const { containment } of this.#cells.values()) containment.drop();
  }

  /** Returns the calls over the boundary since its last call. */
  take(): { Trace: Uint8Array[][]; Committed: number[] } {
    const taken = { Trace: this.#trace, Committed: this.#committed };
    this.#trace = [];
    this.#committed = [];
    return taken;
  }

  #cell(name: string, opened: Opened): Cell {
    const known = this.#cells.get(name);
    if (known) return known;
    const database = new DatabaseSync(":memory:");
    const containment = this.#containment();
    const [root = ""] = name.split("/");
    const runner = new ObjectRunner(containment, root, {
      now: () => this.#at,
      transaction: (run) => transaction(database, run),
      sql: storage(database),
      opened: (lost) => ({ ...cell.opened, lost: cell.opened.lost || lost }),
      perform: () => {
        this.#committed.push(this.#trace.length - 1);
        return true;
      },
      busy: () => false,
      instanceLost: () => {},
    });
    const cell = { runner, containment, opened };
    this.#cells.set(name, cell);
    return cell;
  }
}

function transaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec("BEGIN");
  try {
    const result = run();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Runs statements on a database. */
export function storage(database: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return (text, args) => {
    if (args.length === 0 && text.includes(";")) {
      database.exec(text);
      return [];
    }
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    statement.setReturnArrays(true);
    return statement.all(...(args as SQLInputValue[])) as unknown as Value[][];
  };
}
