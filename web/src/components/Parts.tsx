import type { MessagePart } from "../part";
import { Part } from "./Part";

interface PartsProps {
  parts: MessagePart[];
  /** They are still growing. */
  live: boolean;
  /** New words fade in. */
  fading?: boolean;
}

/** Parts draws the parts of an answer, or of a helper's work, in their order. */
export function Parts({ parts, live, fading }: PartsProps) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended, and have no other identity
    <Part key={index} part={part} live={live} last={index === parts.length - 1} fading={fading} />
  ));
}
