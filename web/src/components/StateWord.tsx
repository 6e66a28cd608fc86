import { type Tone, toneDotColors } from "../tone";

/** StateWord names a state in a word, with a dot in its tone. */
export function StateWord({ word, tone }: { word: string; tone: Tone }) {
  return (
    <span
      className={`flex items-center gap-1.5 text-xs whitespace-nowrap ${tone === "danger" ? "text-danger" : "text-quiet"}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${toneDotColors[tone]}`} />
      {word}
    </span>
  );
}
