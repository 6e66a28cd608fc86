import { use, useState } from "react";
import { count, earlierCalls } from "../calls";
import { callState, callStates, isLiveBelow } from "../callstate";
import { codeOf } from "../code";
import { HelpersContext } from "../helpers";
import type { Nested } from "../nested";
import type { ToolPart } from "../part";
import { CodeCard } from "./CodeCard";
import { QuietButton } from "./QuietButton";
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
  const code = codeOf(call.part);
  const made = call.calls.length > 0 && <CallList caller={call} live={live} timed={code !== undefined} />;
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

interface CallListProps {
  caller: Nested<ToolPart>;
  live: boolean;
  timed: boolean;
}

/** CallList shows the calls that the code of a call has made, in their order; of many, the earlier ones on request. */
function CallList({ caller, live, timed }: CallListProps) {
  const [whole, setWhole] = useState(false);
  const { openCallState } = use(HelpersContext);
  const states = callStates(caller, live, openCallState);
  const earlier = earlierCalls(states);
  return (
    <div className="rill" data-live={callState(caller, live, openCallState).tone === "live" || undefined}>
      {earlier > 0 && (
        <QuietButton className="mb-1 text-quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show fewer calls" : `Show ${count(earlier, "earlier call")}`}
        </QuietButton>
      )}
      <ol aria-label="Calls" className="calls flex flex-col gap-3">
        {caller.calls.slice(whole ? 0 : earlier).map((call) => (
          <li key={call.index}>
            <CallCard call={call} live={isLiveBelow(caller, call, live, openCallState)} timed={timed} />
          </li>
        ))}
      </ol>
    </div>
  );
}
