// An object's runner on fake instances: which handles are closed, which objects are called when an instance ends, and when
// commands are performed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@msgpack/msgpack";
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
  readonly observers = new Set<InstanceObserver>();
  readonly calls: string[] = [];
  readonly open = (object: number) => this.#answer("open", object);
  readonly step = (object: number) => this.#answer("step", object);
  readonly close = (object: number) => void this.calls.push(`close ${object}`);

  end(): void {
    this.dead = true;
    for (const observer of this.observers) observer.instanceEnded();
  }

  #answer(verb: string, object: number): Uint8Array {
    this.calls.push(`${verb} ${object}`);
    return encode([version, 0, "", this.busy, [[commands.CancelFetch.number, [verb]]]]);
  }
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

  constructor(beside?: Bench) {
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
