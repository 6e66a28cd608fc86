import { nest } from "../nested";
import type { MessagePart } from "../part";
import { Part } from "./Part";

interface PartsProps {
  parts: MessagePart[];
  /** They are still growing. */
  live: boolean;
  /** New words fade in. */
  fading?: boolean;
}

/** Parts draws the parts of an answer, or of a helper's work, in their order, and calls below those that made them. */
export function Parts({ parts, live, fading }: PartsProps) {
  // Parts are only ever appended, and have no other identity than their place.
  return nest(parts).map((nested) => (
    <Part key={nested.index} nested={nested} live={live} last={nested.index === parts.length - 1} fading={fading} />
  ));
}
