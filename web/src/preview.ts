const limit = 60;

/** preview shortens an input to one line: its texts, or its JSON where it has none. */
export function preview(value: unknown): string {
  const words = texts(value).join(", ") || json(value);
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\s,;:]+$/, "")}…` : line;
}

/** hiddenIn is how many characters of an input its preview leaves out, as JSON: at least one if it leaves out anything. */
export function hiddenIn(value: unknown): number {
  const said = texts(value);
  const shown = preview(value);
  const isWhole = (said.length === fieldCount(value) || said.length === 0) && !shown.endsWith("…");
  return isWhole ? 0 : Math.max(1, json(value).length - shown.length);
}

function fieldCount(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 1;
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
