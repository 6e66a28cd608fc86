// The codec of the ABI's formats. The bytes that an encoder returns are valid until its next use.
import type { Command, Event, Reply, Statement, Value } from "./abi.ts";
import { commands, events, version } from "./abi.ts";
import { Decoder } from "./decoder.ts";
import { Encoder } from "./encoder.ts";
import type { Field } from "./fields.ts";

// Statements run, and so results are written, while the occurrence that caused them is in use.
const occurrence = new Encoder();
const result = new Encoder();

/** The fields of each kind of event in the order of the wire, listed once. */
const layouts = new Map(
  Object.entries(events).map(([kind, { number, fields }]) => [
    kind,
    { number, fields: Object.entries<Field<never>>(fields).map(([name, write]) => ({ name, write })) },
  ]),
);

/** Encodes an event with its time in milliseconds since 1970. */
export function encodeOccurrence(at: number, event: Event): Uint8Array {
  const layout = layouts.get(event.kind);
  if (!layout) throw new TypeError(`abi: ${event.kind} is no event`);
  const values = event as unknown as Record<string, never>;
  occurrence.reset();
  occurrence.list(4);
  occurrence.number(version);
  occurrence.number(at);
  occurrence.number(layout.number);
  occurrence.list(layout.fields.length);
  for (const { name, write } of layout.fields) write(occurrence, values[name] as never);
  return occurrence.take();
}

/** Encodes the result of sql: rows, or an error message. */
export function encodeResult(error: string, rows: Value[][]): Uint8Array {
  result.reset();
  result.list(2);
  result.text(error);
  result.list(rows.length);
  for (const row of rows) {
    result.list(row.length);
    for (const value of row) result.value(value);
  }
  return result.take();
}

/** Decodes a statement. The blobs of its arguments are views of the given bytes. */
export function decodeStatement(bytes: Uint8Array): Statement {
  const d = new Decoder(bytes);
  d.tuple(3);
  const statement = { sql: d.text(), number: d.integer(), args: d.list(value) };
  d.end();
  return statement;
}

const value = (d: Decoder) => d.value();

/** Decodes a reply. The blobs of its commands are views of the given bytes. */
export function decodeReply(bytes: Uint8Array): Reply {
  const d = new Decoder(bytes);
  const length = d.length();
  const guest = d.integer();
  if (guest !== version) throw new VersionError(guest);
  if (length !== 5) throw new TypeError(`abi: list of 5 expected, not of ${length}`);
  const reply = { version, status: d.integer(), error: d.text(), busy: d.boolean(), commands: d.list(command) };
  d.end();
  return reply;
}

/** Says that host and guest speak different versions of the ABI. */
export class VersionError extends Error {
  override name = "VersionError";

  constructor(guest: number | string) {
    super(
      `abi: the host speaks version ${version}, the module speaks version ${guest}: build and deploy both from one tree`,
    );
  }
}

const byNumber = new Map(Object.values(commands).map((kind) => [kind.number, kind]));

function command(d: Decoder): Command {
  d.tuple(2);
  const number = d.integer();
  const kind = byNumber.get(number);
  if (!kind) throw new TypeError(`abi: no command has number ${number}`);
  d.tuple(kind.length);
  return kind.read(d);
}
