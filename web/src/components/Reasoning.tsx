import { BrainIcon, CaretRightIcon } from "@phosphor-icons/react";
import { Prose } from "./Prose";

/** Reasoning shows a model's reasoning: open while it grows, collapsed afterwards. */
export function Reasoning({ text, live }: { text: string; live: boolean }) {
  return (
    <details key={String(live)} open={live} className="disclosure my-3 text-[0.925rem] first:mt-1">
      <summary className="flex w-fit items-center gap-2 rounded-lg py-0.5 pr-2 text-quiet">
        <BrainIcon size={15} aria-hidden="true" />
        <span className={live ? "pulse" : ""}>{live ? "Thinking" : "Thought"}</span>
        <CaretRightIcon className="caret" size={12} aria-hidden="true" />
      </summary>
      <div className="rill mt-1.5 ml-1.5 text-quiet" data-live={live || undefined}>
        <Prose text={text} live={live} />
      </div>
    </details>
  );
}
