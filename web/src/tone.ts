/** Tone is how a state looks: under way, over, as it should be, on its way there, waiting for a person, or gone wrong. */
export type Tone = "live" | "calm" | "good" | "wait" | "caution" | "danger";

/** toneDots are the dots that go with the words. */
export const toneDots: Record<Tone, string> = {
  live: "bg-river pulse",
  calm: "bg-stream",
  good: "bg-river",
  wait: "bg-caution pulse",
  caution: "bg-caution",
  danger: "bg-danger",
};
