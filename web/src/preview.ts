const limit = 60;

/** preview shortens an input to one line: its texts, or its JSON where it has none. */
export function preview(value: unknown): string {
  const words = texts(value).join(", ") || json(value);
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\s,;:]+$/, "")}…` : line;
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter((field): field is string => typeof field === "string" && field !== "");
}

function json(value: unknown): string {
  if (value === undefined || value === null || isEmpty(value)) return "";
  return JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
