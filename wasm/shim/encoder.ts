// The writer of the ABI's msgpack: each value in its shortest form.
import { code } from "./code.ts";
import type { Value } from "./value.ts";

const utf8 = new TextEncoder();

/**
 * The length up to which an ASCII text is copied here. In workerd a call of TextEncoder takes as long as 64 characters
 * take here.
 */
const maxShort = 64;

/** The length from which on a text is encoded aside, so that the buffer has no room for three bytes a character. */
const minLong = 1 << 16;

/** The longest head of a value, or a whole number. */
const maxHead = 9;

/** The size of a new buffer, and of the largest that is kept. */
const initialSize = 1 << 12;
const maxKept = 1 << 20;

/** Appends values to a buffer of its own. */
export class Encoder {
  #bytes = new Uint8Array(initialSize);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Begins again with no values, also where an error has left some. */
  reset(): void {
    this.#at = 0;
  }

  /** Returns the values, and begins again. The bytes are valid until the next value. A large buffer is not kept. */
  take(): Uint8Array {
    const values = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    if (this.#bytes.length > maxKept) this.#replace(new Uint8Array(initialSize));
    return values;
  }

  boolean(value: boolean): void {
    this.#head(value ? code.true : code.false);
  }

  /** Appends a number: a safe integer as an integer, any other as a double. */
  number(value: number): void {
    this.#reserve(maxHead);
    if (!Number.isSafeInteger(value)) this.#double(value);
    else if (value >= 0) this.#unsigned(value);
    else this.#negative(value);
  }

  /** Appends a text as UTF-8. A surrogate without its pair becomes U+FFFD. */
  text(value: string): void {
    if (value.length >= minLong) {
      this.#utf8(utf8.encode(value));
      return;
    }
    this.#reserve(maxHead + 3 * value.length);
    if (value.length <= maxShort && this.#ascii(value)) return;
    // Most texts are as long in bytes as in characters, so their place is known before their length.
    const guess = this.#at + textHead(value.length);
    const { written } = utf8.encodeInto(value, this.#bytes.subarray(guess));
    const start = this.#at + textHead(written);
    if (start !== guess) this.#bytes.copyWithin(start, guess, guess + written);
    this.#textHead(written);
    this.#at += written;
  }

  /** Appends a text that is UTF-8. */
  #utf8(value: Uint8Array): void {
    this.#reserve(maxHead + value.length);
    this.#textHead(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Appends bytes, or nil for null. */
  blob(value: Uint8Array | null): void {
    if (value === null) {
      this.#head(code.nil);
      return;
    }
    this.#reserve(maxHead + value.length);
    this.#sized(value.length, code.bytes8);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** Appends the head of a list. Its elements follow. */
  list(length: number): void {
    this.#reserve(maxHead);
    if (length <= code.maxFixedList) this.#byte(code.fixedList + length);
    else if (length < 1 << 16) this.#uint16(code.list16, length);
    else this.#uint32(code.list32, length);
  }

  texts(values: string[]): void {
    this.list(values.length);
    for (const value of values) this.text(value);
  }

  /** Appends a map of texts: a list in which each key is followed by its value, in the order of the keys. */
  table(values: Record<string, string>): void {
    const keys = Object.keys(values).sort();
    this.list(2 * keys.length);
    for (const key of keys) {
      this.text(key);
      this.text(values[key] as string);
    }
  }

  /** Appends a value of SQL. */
  value(value: Value): void {
    if (typeof value === "string") this.text(value);
    else if (typeof value === "number") this.number(value);
    else if (value === null || value instanceof Uint8Array) this.blob(value);
    else if (value instanceof ArrayBuffer) this.blob(new Uint8Array(value));
    else throw new TypeError(`abi: ${typeof value} is no value of SQL`);
  }

  /** Makes room for more bytes. */
  #reserve(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const old = this.#bytes;
    this.#replace(new Uint8Array(Math.max(needed, 2 * old.length)));
    this.#bytes.set(old.subarray(0, this.#at));
  }

  #replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }

  #head(head: number): void {
    this.#reserve(1);
    this.#byte(head);
  }

  #byte(byte: number): void {
    this.#bytes[this.#at++] = byte;
  }

  #unsigned(value: number): void {
    if (value <= code.maxFixed) this.#byte(value);
    else if (value < 2 ** 32) this.#sized(value, code.uint8);
    else this.#integer64(code.uint64, value);
  }

  #negative(value: number): void {
    if (value >= -32) this.#byte(value);
    else if (value >= -(2 ** 7)) this.#uint8(code.int8, value);
    else if (value >= -(2 ** 15)) this.#uint16(code.int8 + 1, value);
    else if (value >= -(2 ** 31)) this.#uint32(code.int8 + 2, value);
    else this.#integer64(code.int64, value);
  }

  /** Appends a length or an unsigned number in the shortest form of a family, whose first code is for one byte. */
  #sized(size: number, first: number): void {
    if (size < 1 << 8) this.#uint8(first, size);
    else if (size < 1 << 16) this.#uint16(first + 1, size);
    else this.#uint32(first + 2, size);
  }

  #uint8(head: number, value: number): void {
    this.#byte(head);
    this.#byte(value);
  }

  #uint16(head: number, value: number): void {
    this.#byte(head);
    this.#view.setUint16(this.#at, value);
    this.#at += 2;
  }

  #uint32(head: number, value: number): void {
    this.#byte(head);
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  #integer64(head: number, value: number): void {
    this.#uint32(head, Math.floor(value / 2 ** 32));
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  #double(value: number): void {
    this.#byte(code.double);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  #textHead(length: number): void {
    if (length <= code.maxFixedText) this.#byte(code.fixedText + length);
    else this.#sized(length, code.text8);
  }

  /** Appends a text, and says whether it is ASCII. Any other text is not appended. */
  #ascii(value: string): boolean {
    const start = this.#at;
    this.#textHead(value.length);
    let at = this.#at;
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      if (unit >= 0x80) {
        this.#at = start;
        return false;
      }
      this.#bytes[at++] = unit;
    }
    this.#at = at;
    return true;
  }
}

/** The length of the head of a text that has a given length in bytes. */
function textHead(length: number): number {
  if (length <= code.maxFixedText) return 1;
  if (length < 1 << 8) return 2;
  return length < 1 << 16 ? 3 : 5;
}
