// The reader of the ABI's msgpack. It reads values in their order, each as the type that the caller wants.
import { code } from "./code.ts";
import type { Value } from "./value.ts";

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * The length up to which an ASCII text is put together here. In workerd a call of TextDecoder takes 0.2 µs, and hardly
 * more for a longer text: as long as 32 bytes take here.
 */
const maxShort = 32;

export class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Refuses bytes behind what was read. */
  end(): void {
    const left = this.#left();
    if (left > 0) throw new RangeError(`abi: ${left} bytes behind the value`);
  }

  boolean(): boolean {
    const head = this.#byte();
    if (head === code.true) return true;
    return head === code.false ? false : refuse("boolean", head);
  }

  /** Reads a number that is a safe integer, in whichever form it is written. */
  integer(): number {
    const head = this.#byte();
    if (!isNumber(head)) return refuse("integer", head);
    const number = this.#numberOf(head);
    if (!Number.isSafeInteger(number)) throw new TypeError(`abi: integer expected, not ${number}`);
    return number;
  }

  text(): string {
    const head = this.#byte();
    return isText(head) ? this.#textOf(head) : refuse("text", head);
  }

  /** Reads a text as UTF-8, which is a view of the given bytes. */
  textBytes(): Uint8Array {
    const head = this.#byte();
    return isText(head) ? this.#slice(this.#textLength(head)) : refuse("text", head);
  }

  /** Reads bytes, or null for an empty blob. They are a view of the given bytes. */
  blob(): Uint8Array | null {
    const head = this.#byte();
    if (head === code.nil) return null;
    return isBytes(head) ? this.#bytesOf(head) : refuse("blob", head);
  }

  /** Reads the head of a list, and returns its length, for which there are bytes. */
  length(): number {
    const head = this.#byte();
    let length: number;
    if (head >= code.fixedList && head <= code.fixedList + code.maxFixedList) length = head - code.fixedList;
    else if (head === code.list16) length = this.#unsigned(2);
    else if (head === code.list32) length = this.#unsigned(4);
    else return refuse("list", head);
    if (length > this.#left()) throw new RangeError(`abi: a list of ${length} is cut off`);
    return length;
  }

  /** Reads the head of a list that must have a given length. */
  tuple(length: number): void {
    const found = this.length();
    if (found !== length) throw new TypeError(`abi: list of ${length} expected, not of ${found}`);
  }

  list<T>(read: (d: Decoder) => T): T[] {
    const length = this.length();
    const values: T[] = [];
    for (let i = 0; i < length; i++) values.push(read(this));
    return values;
  }

  texts(): string[] {
    return this.list(text);
  }

  /** Reads a map of texts: on the wire a list in which each key is followed by its value. */
  table(): Record<string, string> {
    const flat = this.texts();
    if (flat.length % 2 !== 0) throw new TypeError(`abi: table of ${flat.length} elements`);
    const entries: [string, string][] = [];
    for (let i = 0; i < flat.length; i += 2) entries.push([flat[i] as string, flat[i + 1] as string]);
    return Object.fromEntries(entries);
  }

  /** Reads a value of SQL. A blob is a view of the given bytes. */
  value(): Exclude<Value, ArrayBuffer> {
    const head = this.#byte();
    if (isNumber(head)) return this.#numberOf(head);
    if (isText(head)) return this.#textOf(head);
    if (isBytes(head)) return this.#bytesOf(head);
    return head === code.nil ? null : refuse("value of SQL", head);
  }

  #left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Passes over bytes, and returns where they begin. */
  #take(length: number): number {
    if (length > this.#left()) throw new RangeError("abi: the bytes are cut off");
    const at = this.#at;
    this.#at += length;
    return at;
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  /** Reads an unsigned number of up to four bytes. */
  #unsigned(width: number): number {
    let at = this.#take(width);
    let number = 0;
    while (at < this.#at) number = number * 256 + (this.#bytes[at++] as number);
    return number;
  }

  /** Reads a two's complement of one, two or four bytes. */
  #signed(width: number): number {
    const unused = 32 - 8 * width;
    return (this.#unsigned(width) << unused) >> unused;
  }

  /** Reads what follows the code of a number. An integer beyond 2^53 is rounded, to one that is not safe either. */
  #numberOf(head: number): number {
    if (head <= code.maxFixed) return head;
    if (head >= code.fixedNegative) return head - 256;
    if (head === code.double) return this.#view(8).getFloat64(0);
    if (head === code.float) return this.#view(4).getFloat32(0);
    if (head === code.uint64) return this.#unsigned(4) * 2 ** 32 + this.#unsigned(4);
    if (head === code.int64) return this.#signed(4) * 2 ** 32 + this.#unsigned(4);
    return head >= code.int8 ? this.#signed(1 << (head - code.int8)) : this.#unsigned(1 << (head - code.uint8));
  }

  #view(length: number): DataView {
    const { buffer, byteOffset } = this.#bytes;
    return new DataView(buffer, byteOffset + this.#take(length), length);
  }

  #bytesOf(head: number): Uint8Array {
    return this.#slice(this.#unsigned(1 << (head - code.bytes8)));
  }

  #slice(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  #textLength(head: number): number {
    return head < code.nil ? head - code.fixedText : this.#unsigned(1 << (head - code.text8));
  }

  #textOf(head: number): string {
    const length = this.#textLength(head);
    return (length <= maxShort ? this.#ascii(length) : undefined) ?? utf8.decode(this.#slice(length));
  }

  /** Reads a text if it is ASCII. One call for eight characters is cheaper than eight calls. */
  #ascii(length: number): string | undefined {
    const bytes = this.#bytes;
    const start = this.#take(length);
    const end = this.#at;
    let text = "";
    let at = start;
    let seen = 0;
    for (; at + 8 <= end; at += 8) {
      const a = bytes[at] as number;
      const b = bytes[at + 1] as number;
      const c = bytes[at + 2] as number;
      const d = bytes[at + 3] as number;
      const e = bytes[at + 4] as number;
      const f = bytes[at + 5] as number;
      const g = bytes[at + 6] as number;
      const h = bytes[at + 7] as number;
      seen |= a | b | c | d | e | f | g | h;
      text += String.fromCharCode(a, b, c, d, e, f, g, h);
    }
    for (; at < end; at++) {
      const a = bytes[at] as number;
      seen |= a;
      text += String.fromCharCode(a);
    }
    if (seen < 0x80) return text;
    this.#at = start;
    return undefined;
  }
}

const text = (d: Decoder) => d.text();

function isNumber(head: number): boolean {
  return head <= code.maxFixed || head >= code.fixedNegative || (head >= code.float && head <= code.int64);
}

function isText(head: number): boolean {
  return (
    (head >= code.fixedText && head <= code.fixedText + code.maxFixedText) ||
    (head >= code.text8 && head <= code.text32)
  );
}

function isBytes(head: number): boolean {
  return head >= code.bytes8 && head <= code.bytes32;
}

function refuse(what: string, head: number): never {
  throw new TypeError(`abi: ${what} expected, not code 0x${head.toString(16)}`);
}
