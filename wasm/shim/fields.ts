// The types of the fields of events. Each is a function that writes a value.
import type { Encoder } from "./encoder.ts";

export type Field<T> = (e: Encoder, value: T) => void;

export const text: Field<string> = (e, value) => e.text(value);
export const texts: Field<string[]> = (e, value) => e.texts(value);
export const integer: Field<number> = (e, value) => e.number(value);
export const boolean: Field<boolean> = (e, value) => e.boolean(value);
/** Bytes. An empty blob is null on the wire. */
export const blob: Field<Uint8Array | null> = (e, value) => e.blob(value);
/** A map of texts. */
export const table: Field<Record<string, string>> = (e, value) => e.table(value);
