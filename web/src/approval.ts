import { getToolName, type UIMessage } from "ai";
import { isPendingApproval, type PendingApproval } from "./part";
import { preview } from "./preview";
import { type Run, runTitle } from "./run";

/** ApprovalRequest is a tool call that waits for a person's approval. */
export interface ApprovalRequest {
  /** The id that the answer carries. */
  id: string;
  /** The helper that asks, by its title; "" for the agent itself. */
  requester: string;
  run: Run | undefined;
  tool: string;
  /** The tool's input, in a few words. */
  input: string;
}

function approvalRequest(part: PendingApproval, run?: Run): ApprovalRequest {
  const requester = run ? runTitle(run) : "";
  return { id: part.approval.id, requester, run, tool: getToolName(part), input: preview(part.input) };
}

/** approvalRequestsOf lists all calls that wait for approval, the agent's own before those of its helpers. */
export function approvalRequestsOf(messages: UIMessage[], runs: Record<string, Run>): ApprovalRequest[] {
  const own = messages.flatMap(({ parts }) => parts.filter(isPendingApproval).map((part) => approvalRequest(part)));
  const theirs = Object.values(runs).filter(({ status }) => status === "running");
  return [
    ...own,
    ...theirs.flatMap((run) => run.parts.filter(isPendingApproval).map((part) => approvalRequest(part, run))),
  ];
}
