import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";

/** Approval asks a person whether a tool may be used. */
export function Approval({ tool, onAnswer }: { tool: string; onAnswer: (approved: boolean) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-3">
      <p className="grow">
        May <span className="font-mono text-[0.9em]">{tool}</span> be used like this?
      </p>
      <ApprovalButtons onAnswer={onAnswer} />
    </div>
  );
}

/** ApprovalButtons offers the two answers, of which one can be given once. */
export function ApprovalButtons({ onAnswer }: { onAnswer: (approved: boolean) => void }) {
  const [answered, setAnswered] = useState(false);
  const say = (approved: boolean) => () => {
    setAnswered(true);
    onAnswer(approved);
  };
  return (
    <div className="ml-auto flex gap-2">
      <Button size="sm" disabled={answered} onClick={say(false)}>
        Deny
      </Button>
      <Button size="sm" variant="primary" disabled={answered} onClick={say(true)}>
        Approve
      </Button>
    </div>
  );
}
