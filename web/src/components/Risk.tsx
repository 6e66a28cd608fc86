import type { Explanation } from "../approval";

const colors: Record<NonNullable<Explanation["risk"]>, string> = {
  low: "bg-note text-quiet",
  medium: "bg-note text-caution-ink",
  high: "bg-note text-danger",
};

/** Risk names how much harm a call can do. */
export function Risk({ word, risk }: { word: string; risk: NonNullable<Explanation["risk"]> }) {
  return <span className={`rounded-full px-2 py-0.5 text-xs whitespace-nowrap ${colors[risk]}`}>{word}</span>;
}
