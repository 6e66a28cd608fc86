// An object's runner on fake instances: which handles are closed, which objects are called when an instance ends, and when
// commands are performed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { type Command, commands, type Event, status, version } from "./abi.ts";
import { Containment } from "./containment.ts";
import type { Instance, InstanceObserver, Loss } from "./instance.ts";
import { Trap } from "./instance.ts";
import { Registration } from "./registration.ts";
import { type ObjectHost, ObjectRunner, RefusedError } from "./runner.ts";

/** A fake instance that records its calls, and answers each with one command that repeats the verb. */
class Fake {
  dead = false;
  size = 6 << 20;
  /** Whether it says that its objects are busy. */
  busy = false;
  /** Whether it says that its objects are watched. */
  watched = false;
  readonly observers = new Set<InstanceObserver>();
  readonly calls: string[] = [];
  readonly open = (object: number) => this.#answer("open", object);
  readonly step = (object: number, occurrence?: Uint8Array) => {
    this.events.push(occurrence ? said(occurrence) : "");
    return this.#answer("step", object);
  };
  /** What it was told, without its openings. */
  readonly events: string[] = [];
  readonly close = (object: number) => void this.calls.push(`close ${object}`);

  end(): void {
    this.dead = true;
    for (const observer of this.observers) observer.instanceEnded();
  }

  #answer(verb: string, object: number): Uint8Array {
    this.calls.push(`${verb} ${object}`);
    return encode([
      version,
      this.watched ? status.watched : status.done,
      "",
      this.busy,
      [[commands.CancelFetch.number, [verb]]],
    ]);
  }
}

/** The timer of an event, or the number of its kind. */
function said(occurrence: Uint8Array): string {
  const [, , kind, fields] = decode(occurrence) as [number, number, number, unknown[]];
  return String(fields[0] ?? kind);
}

const as = (fake: Fake) => fake as unknown as Instance;

/** A registered object, and the calls that it received. */
function registered(busy: boolean) {
  const heard: string[] = [];
  return { heard, busy: () => busy, instanceLost: () => heard.push("instanceLost") };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const deaths: {
  title: string;
  busy: boolean;
  before: (registration: Registration, other: Fake) => void;
  want: string[];
}[] = [
  { title: "a busy object is called", busy: true, before: () => {}, want: ["instanceLost"] },
  { title: "an idle object is not", busy: false, before: () => {}, want: [] },
  { title: "nor is one that has left", busy: true, before: (registration) => registration.leave(), want: [] },
  {
    title: "nor is one that lives elsewhere",
    busy: true,
    before: (registration, other) => registration.enter(as(other)),
    want: [],
  },
];
for (const { title, busy, before, want } of deaths) {
  test(`when an instance ends, ${title}`, async () => {
    const [fake, other] = [new Fake(), new Fake()];
    const who = registered(busy);
    const registration = new Registration(who);
    registration.enter(as(fake));
    before(registration, other);
    fake.end();
    await settled();
    assert.deepEqual(who.heard, want);
  });
}

test("an object that leaves or moves before the call is not called", async () => {
  const [fake, other] = [new Fake(), new Fake()];
  const [leaving, moving] = [registered(true), registered(true)];
  const registrations = [new Registration(leaving), new Registration(moving)];
  for (const registration of registrations) registration.enter(as(fake));
  fake.end();
  registrations[0]?.leave();
  registrations[1]?.enter(as(other));
  await settled();
  assert.deepEqual([leaving.heard, moving.heard], [[], []]);
});

/** An object on fake instances, and all that is done to it, in order. */
class Bench {
  readonly done: string[] = [];
  readonly told: Loss[] = [];
  readonly fakes: Fake[] = [];
  readonly containment: Containment;
  readonly runner: ObjectRunner;
  now = 1;
  /** Called when a transaction would commit. */
  commit = () => {};
  busy = false;
  /** The verbs whose commands fail. */
  failing: string[] = [];

  /** Resolves a wait for the disk. Without waits every commit is on the disk. */
  onDisk: (() => void) | undefined;

  constructor(beside?: Bench, waits = false) {
    const make = () => {
      this.fakes.push(new Fake());
      return as(this.fake);
    };
    this.containment = beside?.containment ?? new Containment(make, 48 << 20);
    const host: ObjectHost = {
      now: () => this.now,
      busy: () => this.busy,
      instanceLost: () => this.done.push("instanceLost"),
      transaction: (run) => {
        this.done.push("begin");
        const result = run();
        this.commit();
        this.done.push("commit");
        return result;
      },
      sql: () => [],
      costs: () => [],
      opened: (lost) => {
        this.told.push(lost);
        return { kind: "Opened", class: "C", name: "n", conns: [], vars: {}, secrets: [], lost };
      },
      perform: (commands: Command[]) => {
        for (const command of commands) this.done.push(`perform ${Object.values(command).join(" ")}`);
        return !commands.some((command) => command.kind === "CancelFetch" && this.failing.includes(command.fetch));
      },
    };
    if (waits)
      host.synced = () =>
        new Promise((resolve) => {
          this.onDisk = resolve;
        });
    this.runner = new ObjectRunner(this.containment, beside ? "another tree" : "tree", host);
  }

  /** The instance that was made last. */
  get fake(): Fake {
    return this.fakes.at(-1) as Fake;
  }
}

const event: Event = { kind: "AlarmFired" };

test("commands are performed when their event has committed, those of an Opened before the event", () => {
  const bench = new Bench();
  bench.runner.deliver(event);
  const one = (verb: string) => ["begin", "commit", `perform CancelFetch ${verb}`];
  assert.deepEqual(bench.done, [...one("open"), ...one("step")]);
  bench.done.length = 0;
  bench.runner.deliver(event);
  assert.deepEqual(bench.done, one("step"));
});

for (const [what, failing] of [
  ["opens", 1],
  ["lets an event happen", 2],
] as const) {
  test(`a commit that fails when it ${what} takes the object out of the module, and nothing is performed`, () => {
    const bench = new Bench();
    let commits = 0;
    bench.commit = () => {
      if (++commits === failing) throw new Error("the disk is full");
    };
    const { handle } = bench.runner.registration;
    assert.throws(() => bench.runner.deliver(event), /the disk is full/);
    assert.equal(bench.done.at(-1), "begin");
    assert.equal(bench.fake.calls.at(-1), `close ${handle}`);
    assert.equal(bench.runner.registration.instance, undefined);
    bench.fake.calls.length = 0;
    bench.runner.deliver(event);
    assert.deepEqual(bench.fake.calls, [`open ${handle}`, `step ${handle}`]);
  });
}

test("an object is opened again after an event with a failed command, and not after Opened", () => {
  const bench = new Bench();
  bench.busy = true;
  bench.failing = ["open"];
  for (let i = 0; i < 3; i++) bench.runner.deliver(event);
  assert.equal(bench.told.length, 1);
  bench.failing = ["step"];
  bench.runner.deliver(event);
  assert.equal(bench.runner.awake, false);
  bench.failing = ["open"];
  for (let i = 0; i < 3; i++) bench.runner.deliver(event);
  assert.deepEqual([bench.told, bench.fakes.length], [["", ""], 1]);
});

test("an object can be opened without an event, once", () => {
  const bench = new Bench();
  bench.runner.open();
  bench.runner.open();
  assert.deepEqual(bench.fake.calls, [`open ${bench.runner.registration.handle}`]);
});

const losses: { of: string; error: Error; lost: Loss }[] = [
  { of: "memory", error: new Trap("runtime: out of memory: cannot allocate 67108864-byte block"), lost: "memory" },
  { of: "a panic", error: new Trap("panic: asked to"), lost: "trap" },
  { of: "a commit", error: new Error("the disk is full"), lost: "" },
];
for (const { of, error, lost } of losses) {
  test(`an object that was lost to ${of} learns so when it is opened, once`, () => {
    const bench = new Bench();
    bench.runner.deliver(event);
    bench.commit = () => {
      throw error;
    };
    assert.throws(() => bench.runner.deliver(event), error);
    bench.commit = () => {};
    bench.runner.deliver(event);
    bench.runner.registration.leave();
    bench.runner.deliver(event);
    assert.deepEqual(bench.told, ["", lost, ""]);
  });
}

const mebibyte = 1 << 20;

test("a busy object stays in a memory that has grown for a minute, and is then opened in another one at once", async () => {
  const bench = new Bench();
  bench.busy = true;
  bench.runner.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 49 * mebibyte;
  bench.runner.deliver(event);
  bench.now += 59_999;
  bench.runner.deliver(event);
  await settled();
  assert.equal(bench.runner.registration.instance, as(first));
  assert.equal(bench.done.includes("instanceLost"), false);
  bench.now += 1;
  bench.containment.expire(bench.now); // as any object's event does
  await settled();
  assert.equal(bench.done.at(-1), "instanceLost");
  bench.runner.open();
  assert.deepEqual([bench.fakes.length, first.dead, bench.runner.registration.instance], [2, true, as(bench.fake)]);
  assert.deepEqual(bench.told, ["", ""]);
});

test("an idle object leaves a memory that has grown, and leaves nothing behind", () => {
  const bench = new Bench();
  bench.runner.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 49 * mebibyte;
  bench.runner.deliver(event);
  bench.runner.deliver(event);
  assert.equal(first.calls.at(-1), `close ${bench.runner.registration.handle}`);
  assert.deepEqual([first.observers.size, bench.fakes.length], [0, 2]);
});

test("when all memories together are too large, the other objects are opened at once, and the object that caused it at its next event", async () => {
  const bench = new Bench();
  const beside = new Bench(bench);
  for (const { runner } of [bench, beside]) runner.deliver(event);
  bench.busy = true;
  beside.busy = true;
  for (const { runner } of [bench, beside]) runner.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 97 * mebibyte;
  bench.runner.deliver(event);
  await settled();
  assert.deepEqual(
    [first.dead, bench.done.includes("instanceLost"), beside.done.at(-1)],
    [true, false, "instanceLost"],
  );
  for (const { runner } of [bench, beside]) runner.deliver(event);
  assert.deepEqual(
    [bench.told, beside.told],
    [
      ["", "memory"],
      ["", ""],
    ],
  );
});

test("a trap during a drop counts like any other", () => {
  const bench = new Bench();
  const beside = new Bench(bench);
  for (const { runner } of [bench, beside]) runner.deliver(event);
  Object.assign(bench.fake, { close: () => assert.fail("asked to") });
  for (let i = 0; i < 2; i++) {
    bench.commit = () => assert.fail("the disk is full");
    assert.throws(() => bench.runner.deliver(event), /the disk is full/);
    bench.commit = () => {};
    bench.runner.deliver(event);
  }
  beside.runner.deliver(event);
  assert.notEqual(bench.runner.registration.instance, beside.runner.registration.instance);
});

test("an object that is refused is rolled back, and costs the instance and the objects in it nothing", () => {
  const bench = new Bench();
  const beside = new Bench(bench);
  beside.runner.deliver(event);
  const open = bench.fake.open;
  Object.assign(bench.fake, { open: () => encode([version, status.newer, "it is newer", false, []]) });
  for (let i = 0; i < 2; i++) {
    assert.throws(
      () => bench.runner.deliver(event),
      (error) => error instanceof RefusedError && error.message === "it is newer",
    );
    assert.deepEqual([bench.done.at(-1), bench.runner.awake, beside.runner.awake], ["begin", false, true]);
  }
  Object.assign(bench.fake, { open });
  bench.runner.deliver(event);
  assert.deepEqual([bench.told, bench.fakes.length], [["", "", ""], 1]);
});

/** An object that is watched from its opening on, before its first event. */
function watched() {
  const bench = new Bench(undefined, true);
  bench.containment.pool("tree").get();
  bench.fake.watched = true;
  return bench;
}

/** Lets the disk be written, and what waits for it go on. */
async function written({ onDisk }: Bench) {
  onDisk?.();
  await settled();
}

test("each event of a watched object comes behind an announcement that is on the disk, and an opening before resumed", async () => {
  const bench = watched();
  const delivered = bench.runner.deliver(event);
  assert.deepEqual(bench.fake.events, ["announced"]);
  await settled();
  assert.deepEqual(bench.fake.events, ["announced"]);
  await written(bench);
  assert.deepEqual(bench.fake.events, ["announced", "resumed", "announced"]);
  bench.fake.watched = false;
  await written(bench);
  await delivered;
  assert.deepEqual(bench.fake.events, ["announced", "resumed", "announced", "6"]);
  assert.equal(bench.runner.deliver(event), undefined);
  assert.deepEqual(bench.fake.events.slice(4), ["6"]);
});

test("an event that comes while another one waits for the disk follows it", async () => {
  const bench = watched();
  const first = bench.runner.deliver(event);
  const second = bench.runner.deliver({ kind: "TimerFired", timer: "later" });
  for (let n = 0; n < 2; n++) await written(bench);
  assert.deepEqual(bench.fake.events, ["announced", "resumed", "announced", "6", "announced"]);
  await written(bench);
  await Promise.all([first, second]);
  assert.equal(bench.fake.events.at(-1), "later");
});

test("an event whose cause is gone behind its announcement is replaced, which ends the announcement", async () => {
  const bench = watched();
  let gone = false;
  const delivered = bench.runner.deliver(event, () => gone);
  await written(bench);
  gone = true;
  await written(bench);
  await delivered;
  assert.deepEqual(bench.fake.events, ["announced", "resumed", "announced", "resumed"]);
});

test("an instance that another object ends behind an announcement was lost between two events", async () => {
  const bench = watched();
  const delivered = bench.runner.deliver(event);
  await written(bench);
  const [first] = bench.fakes;
  first?.end();
  await written(bench);
  await delivered;
  assert.deepEqual(bench.told, ["", "between"]);
  assert.deepEqual([first?.events, bench.fake.events], [["announced", "resumed", "announced"], ["6"]]);
});

test("a trap behind an announcement is told, and the next event follows", async () => {
  const bench = watched();
  const delivered = bench.runner.deliver(event);
  const next = bench.runner.deliver(event);
  await written(bench);
  bench.commit = () => {
    bench.commit = () => {};
    throw new Trap("a bug");
  };
  await Promise.all([assert.rejects(async () => delivered, /a bug/), written(bench)]);
  for (let n = 0; n < 3; n++) await written(bench);
  await next;
  assert.deepEqual(bench.told, ["", "trap"]);
});

test("a host whose commits are on the disk does not wait", () => {
  const bench = new Bench();
  bench.containment.pool("tree").get();
  bench.fake.watched = true;
  assert.equal(bench.runner.deliver(event), undefined);
  assert.deepEqual(bench.fake.events, ["announced", "resumed", "announced", "6"]);
});
