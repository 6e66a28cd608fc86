/** Tone is how a state looks: under way, over, waiting for a person, or gone wrong. */
export type Tone = "live" | "calm" | "caution" | "danger";

/** toneDots are the dots that go with the words. */
export const toneDots: Record<Tone, string> = {
  live: "bg-river pulse",
  calm: "bg-stream",
  caution: "bg-caution",
  danger: "bg-danger",
};
