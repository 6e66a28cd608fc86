// The ABI in TypeScript: the numbers and fields of events and commands. ../abi is the same table in Go, and its README is the
// manual. The tests of both check the same bytes, in testdata/golden.json.

import type { Field, Values } from "./fields.ts";
import { blob, boolean, integer, list, table, text, tuple } from "./fields.ts";

/** The version of the ABI, which guest and host must share. */
export const version = 3;

/** The prefix of the module name that a guest imports from. The guest's version follows it. */
export const namespacePrefix = "tributary_v";
export const namespace = `${namespacePrefix}${version}`;

type Kinds = Record<string, { number: number; fields: Record<string, Field<unknown>> }>;
type Union<T extends Kinds> = { [K in keyof T]: { kind: K } & Values<T[K]["fields"]> }[keyof T];

export const events = {
  Opened: {
    number: 1,
    fields: { class: text, name: text, conns: list(text), vars: table, secrets: list(text), lost: text },
  },
  SocketOpened: { number: 2, fields: { conn: text, url: text } },
  SocketMessage: { number: 3, fields: { conn: text, text, binary: boolean, data: blob } },
  SocketClosed: { number: 4, fields: { conn: text, code: integer, reason: text } },
  RequestReceived: { number: 5, fields: { request: text, method: text, url: text, body: blob } },
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
} satisfies Kinds;

const facet = tuple({ slot: text, class: text });

export const commands = {
  Send: { number: 1, fields: { to: list(text), text } },
  Close: { number: 2, fields: { conn: text, code: integer, reason: text } },
  Respond: { number: 3, fields: { request: text, status: integer, header: table, body: blob } },
  SetAlarm: { number: 4, fields: { at: integer } },
  StartTimer: { number: 5, fields: { timer: text, after: integer } },
  StopTimer: { number: 6, fields: { timer: text } },
  Fetch: {
    number: 7,
    fields: {
      fetch: text,
      method: text,
      url: text,
      header: list(tuple({ name: text, value: text, secret: text })),
      body: blob,
    },
  },
  CancelFetch: { number: 8, fields: { fetch: text } },
  Log: { number: 9, fields: { level: text, message: text, fields: list(text) } },
  Call: { number: 10, fields: { call: text, to: facet, data: blob } },
  Answer: { number: 11, fields: { call: text, data: blob, error: text } },
  OpenStream: { number: 12, fields: { stream: text, from: facet, data: blob } },
  CancelStream: { number: 13, fields: { stream: text } },
  Emit: { number: 14, fields: { stream: text, data: blob } },
  EndStream: { number: 15, fields: { stream: text } },
  DeleteFacet: { number: 16, fields: { slot: text } },
  EvictFacet: { number: 17, fields: { slot: text } },
} satisfies Kinds;

/** Something that has happened to an object. */
export type Event = Union<typeof events>;

/** Something that the host has to do after the event's transaction has committed. */
export type Command = Union<typeof commands>;

/** One kind of event or command. */
export type Of<T extends { kind: string }, K extends T["kind"]> = Extract<T, { kind: K }>;

/** The address of a facet: a slot of its parent, and the class in that slot. */
export type Facet = ReturnType<typeof facet>;

/** The result of a call of open or step. */
export const status = { done: 0, unopened: 1, refused: 2 } as const;

export interface Reply {
  status: number;
  error: string;
  /** Whether dropping the object's in-memory part now would interrupt something. */
  busy: boolean;
  commands: Command[];
}

/** A value of SQL. Storage may return an ArrayBuffer, which is encoded like a Uint8Array of its bytes. */
export type Value = null | number | string | Uint8Array | ArrayBuffer;

/** How many texts of statements an instance numbers at most. */
export const maxStatements = 512;

export interface Statement {
  /** The text, or empty if the instance has sent it before. */
  sql: string;
  /** What names the text from now on, or 0. */
  number: number;
  args: Value[];
}
