import { use } from "react";
import { callState, isLiveBelow } from "../callstate";
import { codeOf } from "../code";
import { HelpersContext } from "../helpers";
import type { Nested } from "../nested";
import type { ToolPart } from "../part";
import { CodeCard } from "./CodeCard";
import { ToolCard } from "./ToolCard";

interface CallCardProps {
  call: Nested<ToolPart>;
  /** Its turn or run is active. */
  live: boolean;
  /** It was made by code of a model, which has no other sign that it is under way. */
  timed?: boolean;
}

/** CallCard shows a tool call with the calls that its code has made below it, each as a card of its own. */
export function CallCard({ call, live, timed = false }: CallCardProps) {
  const { openCallState } = use(HelpersContext);
  const code = codeOf(call.part);
  const active = callState(call, live, openCallState).tone === "live";
  const made = call.calls.length > 0 && (
    <ol aria-label="Calls" className="rill min-w-0" data-live={active || undefined}>
      {call.calls.map((made) => (
        <li key={made.index}>
          <CallCard call={made} live={isLiveBelow(call, made, live)} timed={code !== undefined} />
        </li>
      ))}
    </ol>
  );
  if (code === undefined) {
    return (
      <ToolCard call={call} live={live} timed={timed}>
        {made}
      </ToolCard>
    );
  }
  return (
    <CodeCard call={call} code={code} live={live}>
      {made}
    </CodeCard>
  );
}
