import { Button } from "@cloudflare/kumo/components/button";
import { HandPalmIcon } from "@phosphor-icons/react";
import { use } from "react";
import type { ApprovalRequest } from "../approval";
import { HelpersContext } from "../helpers";
import { ApprovalButtons } from "./Approval";

/** ApprovalRequests lists the calls that wait for approval, always in view. */
export function ApprovalRequests({ requests }: { requests: ApprovalRequest[] }) {
  const { answer, answerHelper, open } = use(HelpersContext);
  if (requests.length === 0) return null;
  return (
    <section aria-label="Waiting for approval" className="mx-auto w-full max-w-184 px-4 sm:px-6">
      <ul className="appear divide-y divide-line rounded-xl border border-caution/50 bg-surface shadow-sm">
        {requests.map(({ id, requester, run, tool, input }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3 text-sm">
            <HandPalmIcon className="shrink-0 text-caution" size={16} aria-hidden="true" />
            <p className="min-w-40 grow basis-0 wrap-anywhere">
              {requester ? `${requester} asks` : "The assistant asks"}: may{" "}
              <span className="font-mono text-[0.9em]">{tool}</span> be used{input && ` on “${input}”`}?
            </p>
            <span className="ml-auto flex gap-2">
              {run && open && (
                <Button size="sm" variant="ghost" onClick={() => open(run)}>
                  Look
                </Button>
              )}
              <ApprovalButtons onAnswer={(approved) => (run ? answerHelper : answer)?.(id, approved)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
