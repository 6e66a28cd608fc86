import { type Tone, toneDots } from "../tone";

/** StateWord says in a word where something stands. */
export function StateWord({ word, tone }: { word: string; tone: Tone }) {
  return (
    <span
      className={`flex items-center gap-1.5 text-xs whitespace-nowrap ${tone === "danger" ? "text-danger" : "text-quiet"}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${toneDots[tone]}`} />
      {word}
    </span>
  );
}
