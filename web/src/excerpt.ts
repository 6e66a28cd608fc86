const columns = 90;

/** excerpt returns the beginning of a text that fits into some lines, and how many characters are behind it. */
export function excerpt(text: string, lines: number): { shown: string; hidden: number } {
  let end = 0;
  let left = lines;
  for (const line of text.split("\n")) {
    const needs = Math.max(1, Math.ceil(line.length / columns));
    if (needs > left) {
      end += left * columns;
      break;
    }
    left -= needs;
    end += line.length + 1;
  }
  if (end >= text.length) return { shown: text, hidden: 0 };
  const shown = text.slice(0, end).trimEnd();
  return { shown: `${shown}…`, hidden: text.length - shown.length };
}

/** hiddenWords says how many characters of something are not shown. */
export function hiddenWords(hidden: number): string {
  return `${hidden.toLocaleString("en")} hidden character${hidden === 1 ? "" : "s"}`;
}
