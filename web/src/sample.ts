// Sample values that several tests use.
import { type Nested, nest } from "./nested";
import type { ToolPart } from "./part";
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

/** The call of the tool that runs code, without a result. */
export const codeCall = {
  type: "tool-code",
  toolCallId: "c",
  state: "input-available",
  input: { code: "await tools.search({})\nreturn 1" },
} as const;

/** The code's call with an output. */
export function codeWith(output: unknown): ToolPart {
  return { ...codeCall, state: "output-available", output };
}

/** The states of a call that code has made. */
const states = {
  running: { state: "input-available" },
  waiting: { state: "approval-requested", approval: { id: "a" } },
  approved: { state: "approval-responded", approval: { id: "a", approved: true } },
  denied: { state: "output-denied", approval: { id: "a", approved: false } },
  failed: { state: "output-error", errorText: "no" },
  done: { state: "output-available", output: 1 },
} as const;

/** A call that the code of another call has made. */
export function made(state: keyof typeof states, number = 1, parent = "c"): ToolPart {
  return {
    type: "tool-search",
    toolCallId: `${parent}/${number}`,
    input: { query: "tea" },
    callProviderMetadata: { tributary: { parent } },
    ...states[state],
  };
}

/** A call with the calls that its code has made. */
export function nested(call: ToolPart, ...calls: ToolPart[]): Nested<ToolPart> {
  const [outer] = nest([call, ...calls]);
  return outer as Nested<ToolPart>;
}
