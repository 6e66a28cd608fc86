// Objects by name, each on a database in memory. It is the twin of ../../host/engine.go, on the shim.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Command, Event, Value } from "../../shim/abi.ts";
import { Containment } from "../../shim/containment.ts";
import { type Cost, Costs } from "../../shim/cost.ts";
import { Instance, type Ports, type Sql } from "../../shim/instance.ts";
import { ObjectRunner } from "../../shim/runner.ts";
import { rand } from "./rand.ts";

/** The first event of an in-memory part. */
export type Opened = Extract<Event, { kind: "Opened" }>;

interface Cell {
  runner: ObjectRunner;
  containment: Containment;
  opened: Opened;
  /** What the object has used since it came into memory, if it is there. */
  cost: Cost | undefined;
  /** The requests whose responses are streamed. */
  begun: Set<string>;
}

export class Engine {
  readonly #cells = new Map<string, Cell>();
  readonly #costs = new Costs();
  readonly #shared: Containment;
  /** Returns the containment of a new object. */
  readonly #containment: () => Containment;
  #now = 1;
  #at = 0;
  #trace: Uint8Array[][] = [];
  /** The indexes in the trace of calls whose transactions have committed. */
  #committed: number[] = [];

  constructor(
    module: WebAssembly.Module,
    seed: number,
    maxMemory: number,
    mode: string,
    scripts: NonNullable<Ports["scripts"]>,
  ) {
    const ports: Ports = {
      now: () => this.#now,
      seed: rand(~seed),
      random: rand(seed),
      write: (text) => process.stderr.write(text),
      log: () => {},
      scripts,
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
    const cost = cell.cost ?? this.#costs.open(name, at, isFacet(name));
    cell.cost = cost;
    if (event) cost.up += sizeOf(event);
    try {
      if (event) cell.runner.deliver(event);
      else cell.runner.open();
    } finally {
      cost.resume();
    }
  }

  /** Lists the objects that are open. */
  awake(): string[] {
    return [...this.#cells].filter(([, { runner }]) => runner.awake).map(([name]) => name);
  }

  evict(name: string): void {
    const cell = this.#cells.get(name);
    cell?.runner.registration.leave();
    this.#forget(name, cell);
  }

  /** Lets a time come at which nothing happens. */
  expire(at: number): void {
    this.#shared.expire(at);
    for (const { containment } of this.#cells.values()) containment.expire(at);
  }

  restart(): void {
    this.#shared.drop();
    for (const [name, cell] of this.#cells) {
      cell.containment.drop();
      this.#forget(name, cell);
    }
  }

  #forget(name: string, cell: Cell | undefined): void {
    if (!cell) return;
    cell.cost = undefined;
    if (isFacet(name)) return;
    cell.begun.clear();
    this.#costs.delete(name);
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
      sql: storage(database, (rows) => cell.cost?.add(rows)),
      costs: () => this.#costs.ask(name),
      opened: (lost) => ({ ...cell.opened, lost: cell.opened.lost || lost }),
      perform: (commands) => {
        this.#committed.push(this.#trace.length - 1);
        if (cell.cost) cell.cost.down += sent(commands, cell.begun);
        return true;
      },
      busy: () => false,
      instanceLost: () => {},
    });
    const cell: Cell = { runner, containment, opened, cost: undefined, begun: new Set() };
    this.#cells.set(name, cell);
    return cell;
  }
}

/** Whether an object is a facet, by its name. */
function isFacet(name: string): boolean {
  return name.includes("/");
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

/** What a client has sent with an event. */
function sizeOf(event: Event): number {
  if (event.kind === "SocketMessage") return event.text.length + (event.data?.length ?? 0);
  return event.kind === "RequestReceived" ? (event.body?.length ?? 0) : 0;
}

/** What commands send to clients, some of whose requests are answered with streams. */
function sent(commands: Command[], begun: Set<string>): number {
  let sum = 0;
  for (const command of commands) {
    if (command.kind === "Send") sum += command.to.length * command.text.length;
    if (command.kind === "Respond") sum += command.body?.length ?? 0;
    if (command.kind === "Begin") begun.add(command.request);
    if (command.kind === "EndStream") begun.delete(command.stream);
    if (command.kind === "Emit" && begun.has(command.stream)) sum += command.data?.length ?? 0;
  }
  return sum;
}

/** Runs statements on a database, and counts each: the rows that it returns, and those that SQLite says it has changed. */
export function storage(database: DatabaseSync, count: Cost["add"] = () => {}): Sql {
  const prepared = new Map<string, StatementSync>();
  const changes = database.prepare("SELECT total_changes() AS n");
  let written = 0;
  const counted = (rows: Value[][]) => {
    const before = written;
    written = Number(changes.get()?.n);
    count({ rowsRead: rows.length, rowsWritten: written - before });
    return rows;
  };
  return (text, args) => {
    if (args.length === 0 && text.includes(";")) {
      database.exec(text);
      return counted([]);
    }
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    statement.setReturnArrays(true);
    return counted(statement.all(...(args as SQLInputValue[])) as unknown as Value[][]);
  };
}
