/** Tone is how a state looks: active, ended, good, becoming good, waiting for a person, or failed. */
export type Tone = "live" | "calm" | "good" | "wait" | "caution" | "danger";

/** toneTextColors are the classes of a text about a state. */
export const toneTextColors: Record<Tone, string> = {
  live: "text-quiet",
  calm: "text-quiet",
  good: "text-quiet",
  wait: "text-caution-ink",
  caution: "text-caution-ink",
  danger: "text-danger",
};

/** toneDotColors are the classes of the dot beside the text. */
export const toneDotColors: Record<Tone, string> = {
  live: "bg-river pulse",
  calm: "bg-stream",
  good: "bg-river",
  wait: "bg-caution pulse",
  caution: "bg-caution",
  danger: "bg-danger",
};
