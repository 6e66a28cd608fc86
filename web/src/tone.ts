/** Tone is how a state looks: under way, over, as it should be, on its way there, waiting for a person, or gone wrong. */
export type Tone = "live" | "calm" | "good" | "wait" | "caution" | "danger";

/** toneInks are the colours of a few words about a state. */
export const toneInks: Record<Tone, string> = {
  live: "text-quiet",
  calm: "text-quiet",
  good: "text-quiet",
  wait: "text-caution-ink",
  caution: "text-caution-ink",
  danger: "text-danger",
};

/** toneDots are the dots that go with the words. */
export const toneDots: Record<Tone, string> = {
  live: "bg-river pulse",
  calm: "bg-stream",
  good: "bg-river",
  wait: "bg-caution pulse",
  caution: "bg-caution",
  danger: "bg-danger",
};
