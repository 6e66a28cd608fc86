// Bytes and values of the ABI. What an encoder returns is valid until its next use.
import { Decoder, Encoder } from "@msgpack/msgpack";
import type { Command, Event, Reply, Statement, Value } from "./abi.ts";
import { commands, events, version } from "./abi.ts";
import type { Field } from "./fields.ts";
import { boolean, integer, list, plain, text, tuple } from "./fields.ts";

const decoder = new Decoder();
const writeOccurrence = writer();
const writeResult = writer();

/** Makes an encoder into a buffer of its own. That never shrinks, so after something large there is a new one. */
function writer(): (value: unknown) => Uint8Array {
  let encoder = new Encoder();
  return (value) => {
    const bytes = encoder.encodeSharedRef(value);
    if (bytes.length > 1 << 20) encoder = new Encoder();
    return bytes;
  };
}

/** An event with its time in milliseconds since 1970. */
export function encodeOccurrence(at: number, event: Event): Uint8Array {
  const { number, fields } = events[event.kind];
  const values = event as unknown as Record<string, unknown>;
  const list = Object.keys(fields).map((name) => plain(values[name]));
  return writeOccurrence([version, at, number, list]);
}

/** What sql hands back: rows, or an error in words. */
export function encodeResult(error: string, rows: Value[][]): Uint8Array {
  for (const row of rows) {
    for (const [i, value] of row.entries()) if (value instanceof ArrayBuffer) row[i] = new Uint8Array(value);
  }
  return writeResult([error, rows]);
}

/** The blobs of a statement's arguments are views of the bytes given. */
export function decodeStatement(bytes: Uint8Array): Statement {
  return statement(decoder.decode(bytes));
}

/** The blobs of a reply's commands are views of the bytes given. */
export function decodeReply(bytes: Uint8Array): Reply {
  const value = decoder.decode(bytes);
  const guest: unknown = Array.isArray(value) ? value[0] : undefined;
  if (typeof guest === "number" && guest !== version) throw new VersionError(guest);
  return reply(value);
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

const sqlValue: Field<Value> = (value) => {
  if (value === null || typeof value === "number" || typeof value === "string" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`abi: ${typeof value} is no value of SQL`);
};

const statement = tuple({ sql: text, args: list(sqlValue) });

const byNumber = new Map(
  Object.entries(commands).map(([kind, { number, fields }]) => [number, { kind, parse: tuple(fields) }]),
);

const command: Field<Command> = (value) => {
  const { number, fields } = tuple({ number: integer, fields: (raw) => raw })(value);
  const known = byNumber.get(number);
  if (!known) throw new TypeError(`abi: no command has number ${number}`);
  return { kind: known.kind, ...known.parse(fields) } as Command;
};

const reply: Field<Reply> = tuple({
  version: integer,
  status: integer,
  error: text,
  busy: boolean,
  commands: list(command),
});
