import { use, useMemo, useRef } from "react";
import { type Helpers, HelpersContext, noHelpers } from "../helpers";
import { useStickToBottom } from "../hooks/useStickToBottom";
import { isVisible } from "../message";
import type { Run } from "../run";
import { openCallStateOf } from "../tool";
import { Parts } from "./Parts";
import { Prose } from "./Prose";
import { Scrolled } from "./Scrolled";

/** HelperWork shows what a helper says and does, in a box that stays scrolled to its end. */
export function HelperWork({ run }: { run: Run }) {
  const { answerHelper } = use(HelpersContext);
  const { status } = run;
  const inside = useMemo<Helpers>(() => {
    if (status !== "running") return { ...noHelpers, openCallState: openCallStateOf(status) };
    return answerHelper ? { ...noHelpers, answer: answerHelper } : noHelpers;
  }, [answerHelper, status]);
  const box = useRef<HTMLDivElement>(null);
  const { content } = useStickToBottom(box);
  const live = status === "running";
  const silent = !run.parts.some(isVisible);
  const said = run.parts.some((part) => part.type === "text" && isVisible(part));
  if (silent && !live && !run.summary) return null;

  return (
    <Scrolled
      ref={box}
      label="Work"
      className="max-h-80 overflow-y-auto overscroll-contain rounded-b-xl border-t border-line px-3 py-3"
    >
      <div
        ref={live ? content : undefined}
        className="rill text-[0.9rem] leading-relaxed"
        data-live={live || undefined}
      >
        {silent && live && <p className="pulse text-quiet">Thinking</p>}
        <HelpersContext value={inside}>
          <Parts parts={run.parts} live={live} />
        </HelpersContext>
        {!said && run.summary && <Prose text={run.summary} live={false} />}
      </div>
    </Scrolled>
  );
}
