// Sample values that several tests use.
import type { Run } from "./run";

/** A tool call that waits for approval. */
export const pendingApproval = {
  type: "tool-inspect_file",
  toolCallId: "c",
  state: "approval-requested",
  input: { path: "config/.env" },
  approval: { id: "a" },
} as const;

/** A helper's run. */
export function run(fields: Partial<Run> = {}): Run {
  const subAgent = { agent: "Researcher", name: "r1" };
  return { runId: "r1", agentType: "Researcher", order: 0, status: "running", parts: [], subAgent, ...fields };
}
