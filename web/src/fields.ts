/** fieldsOf reads the fields of a value from outside; a value that is not an object has none. */
export function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
