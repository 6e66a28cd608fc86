const qualities = "amber brisk calm clear deep early gentle hidden long mossy quiet silver slow still swift wild";
const waters = "beck bend brook burn creek delta eddy fen ford lagoon mere pool reach rill spring weir";
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** A name goes into the agent's address unescaped, so it has only characters that a path segment may have. */
const valid = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** isName reports whether text can name a conversation. */
export function isName(text: string): boolean {
  return valid.test(text);
}

/** freshName makes a random name that is easy to read aloud and that is practically unique. */
export function freshName(): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  const pick = (choices: ArrayLike<string>, at: number) => choices[(random[at] ?? 0) % choices.length] ?? "";
  const tail = Array.from({ length: 6 }, (_, i) => pick(alphabet, i + 2)).join("");
  return `${pick(qualities.split(" "), 0)}-${pick(waters.split(" "), 1)}-${tail}`;
}
