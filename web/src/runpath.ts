/** RunStep is one step of a RunPath: a helper's class and its run's id. */
export interface RunStep {
  agent: string;
  name: string;
}

/** RunPath leads from the conversation's agent to a helper, and on to the helper's own helper. */
export type RunPath = readonly RunStep[];

/** formatRun writes a path in the form of the address: `Researcher/r1`. */
export function formatRun(path: RunPath): string {
  return path
    .flatMap(({ agent, name }) => [agent, name])
    .map(encodeURIComponent)
    .join("/");
}

/** parseRun reads what formatRun wrote. Any other text gives an empty path. */
export function parseRun(text: string): RunPath {
  const words = text.split("/").map(decode);
  if (words.length % 2 !== 0 || words.includes("")) return [];
  return words.flatMap((agent, at) => (at % 2 === 0 ? [{ agent, name: words[at + 1] ?? "" }] : []));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ""; // A malformed escape is no name.
  }
}
