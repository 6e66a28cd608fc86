import { milestoneOf } from "../message";
import { isCall, type Nested } from "../nested";
import { stepOf } from "../step";
import { CallCard } from "./CallCard";
import { Milestone } from "./Milestone";
import { Picture } from "./Picture";
import { Prose } from "./Prose";
import { Reasoning } from "./Reasoning";
import { StepLine } from "./StepLine";

interface PartProps {
  nested: Nested;
  /** The message is still growing. */
  live: boolean;
  /** The part is the last one, where the message grows. */
  last: boolean;
  /** Its new words fade in. */
  fading: boolean | undefined;
}

/** Part draws one part of an answer by its type. A new type needs a line here and in `isVisible`. */
export function Part({ nested, live, last, fading }: PartProps) {
  if (isCall(nested)) return <CallCard call={nested} live={live} />;
  const { part } = nested;
  if (part.type === "text") return <Prose text={part.text} live={live && last} fading={fading} />;
  if (part.type === "reasoning") return part.text.trim() ? <Reasoning text={part.text} live={live && last} /> : null;
  if (part.type === "file") {
    return (
      <div className="my-3">
        <Picture part={part} name="Picture from a tool" />
      </div>
    );
  }
  const step = stepOf(part);
  if (step) return <StepLine step={step} live={live} />;
  const milestone = milestoneOf(part);
  return milestone === undefined ? null : <Milestone name={milestone} />;
}
