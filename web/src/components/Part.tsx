import type { MessagePart } from "../message";
import { Prose } from "./Prose";

/** Part draws one part of an answer by its type; a new type gets its line here and in `isVisible`. */
export function Part({ part, live }: { part: MessagePart; live: boolean }) {
  switch (part.type) {
    case "text":
      return <Prose text={part.text} live={live} />;
    default:
      return null;
  }
}
