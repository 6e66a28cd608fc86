// An object's seat on instances that are made up: what is closed, who is told when an instance ends, and when commands are
// performed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "@msgpack/msgpack";
import { type Command, commands, type Event, version } from "./abi.ts";
import { Containment } from "./containment.ts";
import type { Instance, Loss, Resident } from "./instance.ts";
import { Trap } from "./instance.ts";
import { Place } from "./place.ts";
import { type Owner, Seat } from "./seat.ts";

/** An instance that notes what is asked of it, and answers everything with one command that repeats the question. */
class Fake {
  dead = false;
  size = 6 << 20;
  /** Whether it says that its objects are busy. */
  busy = false;
  readonly residents = new Set<Resident>();
  readonly calls: string[] = [];
  readonly open = (object: number) => this.#answer("open", object);
  readonly step = (object: number) => this.#answer("step", object);
  readonly close = (object: number) => void this.calls.push(`close ${object}`);

  end(): void {
    this.dead = true;
    for (const resident of this.residents) resident.lost();
  }

  #answer(verb: string, object: number): Uint8Array {
    this.calls.push(`${verb} ${object}`);
    return encode([version, 0, "", this.busy, [[commands.CancelFetch.number, [verb]]]]);
  }
}

const as = (fake: Fake) => fake as unknown as Instance;

/** A lodger, and what it has heard. */
function lodger(busy: boolean) {
  const heard: string[] = [];
  return { heard, busy: () => busy, orphaned: () => heard.push("orphaned") };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const deaths: { title: string; busy: boolean; before: (place: Place, other: Fake) => void; want: string[] }[] = [
  { title: "an object that waits is told", busy: true, before: () => {}, want: ["orphaned"] },
  { title: "an object at rest is not", busy: false, before: () => {}, want: [] },
  { title: "nor is one that has left", busy: true, before: (place) => place.leave(), want: [] },
  { title: "nor is one that lives elsewhere", busy: true, before: (place, other) => place.enter(as(other)), want: [] },
];
for (const { title, busy, before, want } of deaths) {
  test(`when an instance ends, ${title}`, async () => {
    const [fake, other] = [new Fake(), new Fake()];
    const who = lodger(busy);
    const place = new Place(who);
    place.enter(as(fake));
    before(place, other);
    fake.end();
    await settled();
    assert.deepEqual(who.heard, want);
  });
}

test("whoever leaves or moves before it hears of a death goes its own way", async () => {
  const [fake, other] = [new Fake(), new Fake()];
  const [leaving, moving] = [lodger(true), lodger(true)];
  const places = [new Place(leaving), new Place(moving)];
  for (const place of places) place.enter(as(fake));
  fake.end();
  places[0]?.leave();
  places[1]?.enter(as(other));
  await settled();
  assert.deepEqual([leaving.heard, moving.heard], [[], []]);
});

/** An object on made-up instances, and all that is done to it, in order. */
class Bench {
  readonly done: string[] = [];
  readonly told: Loss[] = [];
  readonly fakes: Fake[] = [];
  readonly containment: Containment;
  readonly seat: Seat;
  now = 1;
  /** Called where a transaction would commit. */
  commit = () => {};
  busy = false;
  /** Behind which verbs the commands fail. */
  failing: string[] = [];

  constructor(beside?: Bench) {
    const make = () => {
      this.fakes.push(new Fake());
      return as(this.fake);
    };
    this.containment = beside?.containment ?? new Containment(make, 48 << 20);
    const owner: Owner = {
      now: () => this.now,
      busy: () => this.busy,
      orphaned: () => this.done.push("orphaned"),
      transaction: (run) => {
        this.done.push("begin");
        const result = run();
        this.commit();
        this.done.push("commit");
        return result;
      },
      sql: () => [],
      opened: (lost) => {
        this.told.push(lost);
        return { kind: "Opened", class: "C", name: "n", conns: [], vars: {}, secrets: [], lost };
      },
      perform: (commands: Command[]) => {
        for (const command of commands) this.done.push(`perform ${Object.values(command).join(" ")}`);
        return !commands.some((command) => command.kind === "CancelFetch" && this.failing.includes(command.fetch));
      },
    };
    this.seat = new Seat(this.containment, beside ? "another tree" : "tree", owner);
  }

  /** The instance that was made last. */
  get fake(): Fake {
    return this.fakes.at(-1) as Fake;
  }
}

const event: Event = { kind: "AlarmFired" };

test("commands are performed when their event has committed, those of an Opened before the event", () => {
  const bench = new Bench();
  bench.seat.deliver(event);
  const one = (verb: string) => ["begin", "commit", `perform CancelFetch ${verb}`];
  assert.deepEqual(bench.done, [...one("open"), ...one("step")]);
  bench.done.length = 0;
  bench.seat.deliver(event);
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
    const { handle } = bench.seat.place;
    assert.throws(() => bench.seat.deliver(event), /the disk is full/);
    assert.equal(bench.done.at(-1), "begin");
    assert.equal(bench.fake.calls.at(-1), `close ${handle}`);
    assert.equal(bench.seat.place.instance, undefined);
    bench.fake.calls.length = 0;
    bench.seat.deliver(event);
    assert.deepEqual(bench.fake.calls, [`open ${handle}`, `step ${handle}`]);
  });
}

test("an object is opened again behind an event with a command that failed, and not behind Opened", () => {
  const bench = new Bench();
  bench.busy = true;
  bench.failing = ["open"];
  for (let i = 0; i < 3; i++) bench.seat.deliver(event);
  assert.equal(bench.told.length, 1);
  bench.failing = ["step"];
  bench.seat.deliver(event);
  assert.equal(bench.seat.awake, false);
  bench.failing = ["open"];
  for (let i = 0; i < 3; i++) bench.seat.deliver(event);
  assert.deepEqual([bench.told, bench.fakes.length], [["", ""], 1]);
});

test("an object can be opened without an event, once", () => {
  const bench = new Bench();
  bench.seat.open();
  bench.seat.open();
  assert.deepEqual(bench.fake.calls, [`open ${bench.seat.place.handle}`]);
});

const losses: { of: string; error: Error; lost: Loss }[] = [
  { of: "memory", error: new Trap("runtime: out of memory: cannot allocate 67108864-byte block"), lost: "memory" },
  { of: "a panic", error: new Trap("panic: asked to"), lost: "trap" },
  { of: "a commit", error: new Error("the disk is full"), lost: "" },
];
for (const { of, error, lost } of losses) {
  test(`an object that was lost for ${of} is told so when it is opened, once`, () => {
    const bench = new Bench();
    bench.seat.deliver(event);
    bench.commit = () => {
      throw error;
    };
    assert.throws(() => bench.seat.deliver(event), error);
    bench.commit = () => {};
    bench.seat.deliver(event);
    bench.seat.place.leave();
    bench.seat.deliver(event);
    assert.deepEqual(bench.told, ["", lost, ""]);
  });
}

const mebibyte = 1 << 20;

test("an object that is busy stays in a memory that has grown for a minute, and then goes on at once", async () => {
  const bench = new Bench();
  bench.busy = true;
  bench.seat.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 49 * mebibyte;
  bench.seat.deliver(event);
  bench.now += 59_999;
  bench.seat.deliver(event);
  await settled();
  assert.equal(bench.seat.place.instance, as(first));
  assert.equal(bench.done.includes("orphaned"), false);
  bench.now += 1;
  bench.containment.tidy(bench.now); // anybody's event
  await settled();
  assert.equal(bench.done.at(-1), "orphaned");
  bench.seat.open();
  assert.deepEqual([bench.fakes.length, first.dead, bench.seat.place.instance], [2, true, as(bench.fake)]);
  assert.deepEqual(bench.told, ["", ""]);
});

test("an object at rest leaves a memory that has grown, and nothing of it stays there", () => {
  const bench = new Bench();
  bench.seat.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 49 * mebibyte;
  bench.seat.deliver(event);
  bench.seat.deliver(event);
  assert.equal(first.calls.at(-1), `close ${bench.seat.place.handle}`);
  assert.deepEqual([first.residents.size, bench.fakes.length], [0, 2]);
});

test("where all memories together have grown too large, others go on at once, and the cause when it hears of something", async () => {
  const bench = new Bench();
  const beside = new Bench(bench);
  for (const { seat } of [bench, beside]) seat.deliver(event);
  bench.busy = true;
  beside.busy = true;
  for (const { seat } of [bench, beside]) seat.deliver(event);
  const [first] = bench.fakes;
  assert.ok(first);
  first.size = 97 * mebibyte;
  bench.seat.deliver(event);
  await settled();
  assert.deepEqual([first.dead, bench.done.includes("orphaned"), beside.done.at(-1)], [true, false, "orphaned"]);
  for (const { seat } of [bench, beside]) seat.deliver(event);
  assert.deepEqual(
    [bench.told, beside.told],
    [
      ["", "memory"],
      ["", ""],
    ],
  );
});

test("what traps as it is dropped counts like any other", () => {
  const bench = new Bench();
  const beside = new Bench(bench);
  for (const { seat } of [bench, beside]) seat.deliver(event);
  Object.assign(bench.fake, { close: () => assert.fail("asked to") });
  for (let i = 0; i < 2; i++) {
    bench.commit = () => assert.fail("the disk is full");
    assert.throws(() => bench.seat.deliver(event), /the disk is full/);
    bench.commit = () => {};
    bench.seat.deliver(event);
  }
  beside.seat.deliver(event);
  assert.notEqual(bench.seat.place.instance, beside.seat.place.instance);
});
