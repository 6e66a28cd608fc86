// The types of the fields of events and commands. Each is a function that parses a value that msgpack has decoded.

export type Field<T> = (value: unknown) => T;

const refuse = (what: string, value: unknown): never => {
  throw new TypeError(`abi: ${what} expected, not ${value === null ? "null" : typeof value}`);
};

export const text: Field<string> = (value) => (typeof value === "string" ? value : refuse("text", value));

export const integer: Field<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : refuse("integer", value);

export const boolean: Field<boolean> = (value) => (typeof value === "boolean" ? value : refuse("boolean", value));

/** Bytes. An empty blob is null on the wire. */
export const blob: Field<Uint8Array | null> = (value) =>
  value === null || value instanceof Uint8Array ? value : refuse("blob", value);

export function list<T>(field: Field<T>): Field<T[]> {
  return (value) => (Array.isArray(value) ? value.map(field) : refuse("list", value));
}

/** A map of texts: on the wire a list in which each key is followed by its value. */
export const table: Field<Record<string, string>> = (value) => {
  const flat = list(text)(value);
  if (flat.length % 2 !== 0) throw new TypeError(`abi: table of ${flat.length} elements`);
  const entries: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2) entries.push([flat[i] as string, flat[i + 1] as string]);
  return Object.fromEntries(entries);
};

/** A list of fixed length whose elements have names. */
export function tuple<F extends Record<string, Field<unknown>>>(fields: F): Field<Values<F>> {
  const parts = Object.entries(fields);
  return (value) => {
    if (!Array.isArray(value) || value.length !== parts.length) return refuse(`list of ${parts.length}`, value);
    const values: Record<string, unknown> = {};
    let i = 0;
    for (const [name, field] of parts) values[name] = field(value[i++]);
    return values as Values<F>;
  };
}

export type Values<F extends Record<string, Field<unknown>>> = { [K in keyof F]: ReturnType<F[K]> };

/** Converts a value to the form in which msgpack encodes it. */
export function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.flat();
}
