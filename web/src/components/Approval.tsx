import { Button } from "@cloudflare/kumo/components/button";
import { ChatTextIcon } from "@phosphor-icons/react";
import { useState } from "react";
import { type Explanation, riskWords } from "../approval";
import { Explained, HiddenInput } from "./Explained";
import { Risk } from "./Risk";

interface ApprovalProps {
  tool: string;
  explanation: Explanation;
  /** How many characters of its input are not shown beside it. */
  hidden: number;
  onAnswer: (approved: boolean, reason?: string) => void;
}

/** Approval asks a person whether a tool may be used. */
export function Approval({ tool, explanation: { title, text, risk }, hidden, onAnswer }: ApprovalProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 pb-3">
      <div className="min-w-40 grow basis-0 wrap-anywhere">
        {title ? (
          <p className="font-medium">
            {title} {risk && <Risk word={riskWords[risk]} risk={risk} />}
          </p>
        ) : (
          <p>
            May <span className="font-mono text-[0.9em]">{tool}</span> be used like this?
          </p>
        )}
        {text && <Explained text={text} lines={6} />}
        {hidden > 0 && <HiddenInput hidden={hidden} />}
      </div>
      <ApprovalButtons onAnswer={onAnswer} />
    </div>
  );
}

interface ApprovalButtonsProps {
  /** What the two buttons say. */
  no?: string;
  yes?: string;
  onAnswer: (approved: boolean, reason?: string) => void;
}

/** ApprovalButtons offers the two answers, of which one can be given once. A refusal can have a reason. */
export function ApprovalButtons({ no = "Deny", yes = "Approve", onAnswer }: ApprovalButtonsProps) {
  const [answered, setAnswered] = useState(false);
  const [reason, setReason] = useState<string>();
  const say = (approved: boolean) => {
    setAnswered(true);
    onAnswer(approved, approved ? undefined : reason?.trim() || undefined);
  };
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
      {reason === undefined ? (
        <Button
          size="sm"
          shape="square"
          variant="ghost"
          aria-label="Give a reason"
          title="Give a reason"
          disabled={answered}
          icon={<ChatTextIcon size={14} />}
          onClick={() => setReason("")}
        />
      ) : (
        <input
          ref={(field) => field?.focus()}
          aria-label="Reason"
          placeholder="Why not?"
          className="entry w-44 max-w-full"
          maxLength={1000}
          disabled={answered}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          onKeyDown={({ key, nativeEvent }) => key === "Enter" && !nativeEvent.isComposing && say(false)}
        />
      )}
      <Button size="sm" disabled={answered} onClick={() => say(false)}>
        {no}
      </Button>
      <Button size="sm" variant="primary" disabled={answered} onClick={() => say(true)}>
        {yes}
      </Button>
    </div>
  );
}
