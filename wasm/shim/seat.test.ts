// An object's seat on instances that are made up: what is closed, and who is told when an instance dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Event, version } from "./abi.ts";
import { type Holder, Place } from "./holder.ts";
import { type Instance, type Loss, type Resident, Trap } from "./instance.ts";
import { type Owner, Seat } from "./seat.ts";

/** An instance that notes what is asked of it, and answers everything with an empty reply. */
class Fake {
  dead = false;
  readonly residents = new Set<Resident>();
  readonly calls: string[] = [];
  readonly open = (object: number) => this.#answer(`open ${object}`);
  readonly step = (object: number) => this.#answer(`step ${object}`);
  readonly close = (object: number) => void this.calls.push(`close ${object}`);

  die(): void {
    this.dead = true;
    for (const resident of this.residents) resident.lost();
  }

  #answer(call: string): Uint8Array {
    this.calls.push(call);
    return Uint8Array.of(0x95, version, 0, 0xa0, 0xc2, 0x90); // done, no error, not busy, no commands
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
  test(`when an instance dies, ${title}`, async () => {
    const [fake, other] = [new Fake(), new Fake()];
    const who = lodger(busy);
    const place = new Place(who);
    place.enter(as(fake));
    before(place, other);
    fake.die();
    await settled();
    assert.deepEqual(who.heard, want);
  });
}

test("whoever leaves or moves before it hears of a death goes its own way", async () => {
  const [fake, other] = [new Fake(), new Fake()];
  const [leaving, moving] = [lodger(true), lodger(true)];
  const places = [new Place(leaving), new Place(moving)];
  for (const place of places) place.enter(as(fake));
  fake.die();
  places[0]?.leave();
  places[1]?.enter(as(other));
  await settled();
  assert.deepEqual([leaving.heard, moving.heard], [[], []]);
});

/** A seat whose transactions fail while fail() says so. What its object is told of a loss comes to told. */
function seat(fake: Fake, fail: () => boolean, told: Loss[] = []): Seat {
  const owner: Owner = {
    ...lodger(true),
    now: () => 1,
    transaction: (run) => {
      const result = run();
      if (fail()) throw new Error("the disk is full");
      return result;
    },
    sql: () => [],
    opened: (lost) => {
      told.push(lost);
      return { kind: "Opened", class: "C", name: "n", conns: [], vars: {}, secrets: [], lost };
    },
    perform: () => {},
  };
  return new Seat({ get: () => as(fake), quiet: () => {} } as unknown as Holder, owner);
}

const event: Event = { kind: "AlarmFired" };

for (const [what, failing] of [
  ["opens", 1],
  ["lets an event happen", 2],
] as const) {
  test(`a commit that fails when it ${what} takes the object out of the module`, () => {
    const fake = new Fake();
    let commits = 0;
    const subject = seat(fake, () => ++commits === failing);
    const { handle } = subject.place;
    assert.throws(() => subject.deliver(event), /the disk is full/);
    assert.equal(fake.calls.at(-1), `close ${handle}`);
    assert.equal(subject.place.instance, undefined);
    fake.calls.length = 0;
    subject.deliver(event);
    assert.deepEqual(fake.calls, [`open ${handle}`, `step ${handle}`]);
  });
}

test("an object can be opened without an event, once", () => {
  const fake = new Fake();
  const subject = seat(fake, () => false);
  subject.open();
  subject.open();
  assert.deepEqual(fake.calls, [`open ${subject.place.handle}`]);
});

const losses: { of: string; error: Error; lost: Loss }[] = [
  { of: "memory", error: new Trap("runtime: out of memory: cannot allocate 67108864-byte block"), lost: "memory" },
  { of: "a panic", error: new Trap("panic: asked to"), lost: "trap" },
  { of: "a commit", error: new Error("the disk is full"), lost: "" },
];
for (const { of, error, lost } of losses) {
  test(`an object that was lost for ${of} is told so when it is opened, once`, () => {
    const told: Loss[] = [];
    const fake = new Fake();
    let failing = false;
    const fail = () => {
      if (failing) throw error;
      return false;
    };
    const subject = seat(fake, fail, told);
    subject.deliver(event);
    failing = true;
    assert.throws(() => subject.deliver(event), error);
    failing = false;
    subject.deliver(event);
    subject.place.leave();
    subject.deliver(event);
    assert.deepEqual(told, ["", lost, ""]);
  });
}
