/** Suggestion is a first message that a page offers. */
export interface Suggestion {
  words: string;
  /** The settings of the demo model at its end, such as `chunks=200 delay=120`; often empty. */
  knobs: string;
}

/** suggestionOf splits a message into its words and its settings. */
export function suggestionOf(text: string): Suggestion {
  const [knobs = ""] = /(\s+[a-z]{3,}=\S+)+$/.exec(text) ?? [];
  return { words: text.slice(0, text.length - knobs.length), knobs: knobs.trim() };
}
