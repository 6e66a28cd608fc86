// The formats of the port for scripts: ../../durable/script/README.md.
import { Decoder } from "./decoder.ts";
import type { Encoder } from "./encoder.ts";

/** Opens a box and runs the code of a script. */
export interface Open {
  kind: "open";
  box: number;
  /** Texts that only the engine reads are UTF-8. */
  prelude: Uint8Array;
  code: Uint8Array;
  seed: Uint8Array;
  now: number;
  /** The limits of the engine's memory and of its stack, in bytes. */
  memory: number;
  stack: number;
  /** The units of work until the request returns. */
  work: number;
}

/** Answers a call of a script and runs it on. */
export interface Answer {
  kind: "answer";
  box: number;
  call: number;
  ok: boolean;
  json: Uint8Array;
  now: number;
  work: number;
}

/** Drops a box. */
export interface Close {
  kind: "close";
  box: number;
}

export type Request = Open | Answer | Close;

/** How a script goes on. */
export const state = { waits: 0, done: 1, failed: 2, gone: 3, spent: 4 } as const;

/** What a script has done since the request before. */
export interface Result {
  state: number;
  calls: { number: number; name: string; json: string }[];
  lines: string[];
  value: string;
  words: string;
  /** The units of work that the request took, and what the engine's memory holds, in bytes. */
  work: number;
  bytes: number;
}

const seedLength = 16;

/** Decodes a request. It throws if that is malformed. Its bytes are views of the given ones. */
export function decodeRequest(bytes: Uint8Array): Request {
  const d = new Decoder(bytes);
  const length = d.length();
  const kind = d.integer();
  const request = requestOf(d, kind, length);
  d.end();
  return request;
}

function requestOf(d: Decoder, kind: number, length: number): Request {
  if (kind === 0 && length === 9) return open(d);
  if (kind === 1 && length === 7)
    return {
      kind: "answer",
      box: d.integer(),
      call: d.integer(),
      ok: d.boolean(),
      json: d.textBytes(),
      now: d.integer(),
      work: d.integer(),
    };
  if (kind === 2 && length === 2) return { kind: "close", box: d.integer() };
  throw new TypeError(`script: a list of ${length} is no request of kind ${kind}`);
}

function open(d: Decoder): Open {
  const [box, prelude, code, seed] = [d.integer(), d.textBytes(), d.textBytes(), d.blob()];
  if (seed?.length !== seedLength) throw new TypeError(`script: a seed of ${seed?.length} bytes`);
  const [now, memory, stack, work] = [d.integer(), d.integer(), d.integer(), d.integer()];
  return { kind: "open", box, prelude, code, seed, now, memory, stack, work };
}

/** Encodes a result. The bytes are valid until the encoder's next use. */
export function encodeResult(e: Encoder, { state, calls, lines, value, words, work, bytes }: Result): Uint8Array {
  e.reset();
  e.list(7);
  e.number(state);
  e.list(calls.length);
  for (const { number, name, json } of calls) {
    e.list(3);
    e.number(number);
    e.text(name);
    e.text(json);
  }
  e.texts(lines);
  e.text(value);
  e.text(words);
  e.number(work);
  e.number(bytes);
  return e.take();
}
