// The codec of the ABI. The bytes that an encoder returns are valid until its next use.
import { Decoder, Encoder } from "@msgpack/msgpack";
import type { Command, Event, Reply, Statement, Value } from "./abi.ts";
import { commands, events, version } from "./abi.ts";
import type { Field } from "./fields.ts";
import { boolean, integer, list, plain, text, tuple } from "./fields.ts";

const decoder = new Decoder();
const writeOccurrence = writer();
const writeResult = writer();

/** Makes an encoder with its own buffer. A buffer never shrinks, so it is replaced after a large value. */
function writer(): (value: unknown) => Uint8Array {
  let encoder = new Encoder();
  return (value) => {
    const bytes = encoder.encodeSharedRef(value);
    if (bytes.length > 1 << 20) encoder = new Encoder();
    return bytes;
  };
}

/** Encodes an event with its time in milliseconds since 1970. */
export function encodeOccurrence(at: number, event: Event): Uint8Array {
  const { number, fields } = events[event.kind];
  const values = event as unknown as Record<string, unknown>;
  const list = Object.keys(fields).map((name) => plain(values[name]));
  return writeOccurrence([version, at, number, list]);
}

/** Encodes the result of sql: rows, or an error message. */
export function encodeResult(error: string, rows: Value[][]): Uint8Array {
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (value instanceof ArrayBuffer) row[i] = new Uint8Array(value);
    }
  }
  return writeResult([error, rows]);
}

/** Decodes a statement. The blobs of its arguments are views of the given bytes. */
export function decodeStatement(bytes: Uint8Array): Statement {
  return statement(decoder.decode(bytes));
}

/** Decodes a reply. The blobs of its commands are views of the given bytes. */
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

const statement = tuple({ sql: text, number: integer, args: list(sqlValue) });

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
