// The ABI in TypeScript: the numbers and fields of events and commands. ../abi is the same table in Go, and its README is the
// manual. The tests of both check the same bytes, in testdata/golden.json.

import type { Decoder } from "./decoder.ts";
import type { Field } from "./fields.ts";
import { blob, boolean, integer, table, text, texts } from "./fields.ts";
import type { Value } from "./value.ts";

export type { Value };

/** The version of the ABI, which guest and host must share. */
export const version = 4;

/** The prefix of the module name that a guest imports from. The guest's version follows it. */
export const namespacePrefix = "tributary_v";
export const namespace = `${namespacePrefix}${version}`;

type Fields = Record<string, Field<never>>;

export const events = {
  Opened: {
    number: 1,
    fields: { class: text, name: text, conns: texts, vars: table, secrets: texts, lost: text },
  },
  SocketOpened: { number: 2, fields: { conn: text, url: text, header: table, claims: text } },
  SocketMessage: { number: 3, fields: { conn: text, text, binary: boolean, data: blob, claims: text } },
  SocketClosed: { number: 4, fields: { conn: text, code: integer, reason: text } },
  RequestReceived: {
    number: 5,
    fields: { request: text, method: text, url: text, body: blob, header: table, claims: text },
  },
  AlarmFired: { number: 6, fields: {} },
  TimerFired: { number: 7, fields: { timer: text } },
  FetchResponded: { number: 8, fields: { fetch: text, status: integer, header: table } },
  FetchChunk: { number: 9, fields: { fetch: text, data: blob } },
  FetchEnded: { number: 10, fields: { fetch: text } },
  FetchFailed: { number: 11, fields: { fetch: text, error: text, unsent: boolean } },
  CallReceived: { number: 12, fields: { call: text, data: blob } },
  CallAnswered: { number: 13, fields: { call: text, data: blob } },
  CallFailed: { number: 14, fields: { call: text, error: text } },
  StreamRequested: { number: 15, fields: { stream: text, data: blob } },
  StreamDrained: { number: 16, fields: { stream: text } },
  StreamCancelled: { number: 17, fields: { stream: text } },
  StreamData: { number: 18, fields: { stream: text, data: blob } },
  StreamEnded: { number: 19, fields: { stream: text } },
  StreamFailed: { number: 20, fields: { stream: text, error: text } },
} satisfies Record<string, { number: number; fields: Fields }>;

/** A kind of command: its number, the length of its list of fields, and what reads them behind the head of that list. */
const command = <const C extends { kind: string }>(number: number, length: number, read: (d: Decoder) => C) => ({
  number,
  length,
  read,
});

const facet = (d: Decoder) => {
  d.tuple(2);
  return { slot: d.text(), class: d.text() };
};

const header = (d: Decoder) => {
  d.tuple(3);
  return { name: d.text(), value: d.text(), secret: d.text() };
};

/** A literal is evaluated in the order in which it is written, so its fields stand in the order of the wire. */
export const commands = {
  Send: command(1, 2, (d) => ({ kind: "Send", to: d.texts(), text: d.text() })),
  Close: command(2, 3, (d) => ({ kind: "Close", conn: d.text(), code: d.integer(), reason: d.text() })),
  Respond: command(3, 4, (d) => ({
    kind: "Respond",
    request: d.text(),
    status: d.integer(),
    header: d.table(),
    body: d.blob(),
  })),
  SetAlarm: command(4, 1, (d) => ({ kind: "SetAlarm", at: d.integer() })),
  StartTimer: command(5, 2, (d) => ({ kind: "StartTimer", timer: d.text(), after: d.integer() })),
  StopTimer: command(6, 1, (d) => ({ kind: "StopTimer", timer: d.text() })),
  Fetch: command(7, 5, (d) => ({
    kind: "Fetch",
    fetch: d.text(),
    method: d.text(),
    url: d.text(),
    header: d.list(header),
    body: d.blob(),
  })),
  CancelFetch: command(8, 1, (d) => ({ kind: "CancelFetch", fetch: d.text() })),
  Log: command(9, 3, (d) => ({ kind: "Log", level: d.text(), message: d.text(), fields: d.texts() })),
  Call: command(10, 3, (d) => ({ kind: "Call", call: d.text(), to: facet(d), data: d.blob() })),
  Answer: command(11, 3, (d) => ({ kind: "Answer", call: d.text(), data: d.blob(), error: d.text() })),
  OpenStream: command(12, 3, (d) => ({ kind: "OpenStream", stream: d.text(), from: facet(d), data: d.blob() })),
  CancelStream: command(13, 1, (d) => ({ kind: "CancelStream", stream: d.text() })),
  Emit: command(14, 2, (d) => ({ kind: "Emit", stream: d.text(), data: d.blob() })),
  EndStream: command(15, 1, (d) => ({ kind: "EndStream", stream: d.text() })),
  DeleteFacet: command(16, 1, (d) => ({ kind: "DeleteFacet", slot: d.text() })),
  EvictFacet: command(17, 1, (d) => ({ kind: "EvictFacet", slot: d.text() })),
  Begin: command(18, 3, (d) => ({ kind: "Begin", request: d.text(), status: d.integer(), header: d.table() })),
};

type Values<F extends Fields> = { [K in keyof F]: Parameters<F[K]>[1] };

/** Something that has happened to an object. */
export type Event = {
  [K in keyof typeof events]: { kind: K } & Values<(typeof events)[K]["fields"]>;
}[keyof typeof events];

/** Something that the host has to do after the event's transaction has committed. */
export type Command = ReturnType<(typeof commands)[keyof typeof commands]["read"]>;

/** One kind of event or command. */
export type Of<T extends { kind: string }, K extends T["kind"]> = Extract<T, { kind: K }>;

/** The address of a facet: a slot of its parent, and the class in that slot. */
export type Facet = ReturnType<typeof facet>;

/** The result of a call of open or step. */
export const status = { done: 0, unopened: 1, refused: 2, newer: 3, watched: 4 } as const;

/** The timers by which a host speaks to a watched object: before each event, and after an Opened. */
export const announced = "announced";
export const resumed = "resumed";

export interface Reply {
  status: number;
  error: string;
  /** Whether dropping the object's in-memory part now would interrupt something. */
  busy: boolean;
  commands: Command[];
}

/** How many texts of statements an instance numbers at most. */
export const maxStatements = 512;

export interface Statement {
  /** The text, or empty if the instance has sent it before. */
  sql: string;
  /** What names the text from now on, or 0. */
  number: number;
  args: Value[];
}
