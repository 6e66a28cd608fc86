import { getToolName } from "ai";
import { below, type Nested } from "./nested";
import { isPendingApproval, type ToolPart } from "./part";
import { askTool, questionOf } from "./question";
import { type ToolState, toolState } from "./tool";

/**
 * callState describes a tool call by its part and the calls that its code has made. The other parameters are those of
 * `toolState`.
 */
export function callState(call: Nested<ToolPart>, live: boolean, openCallState?: ToolState): ToolState {
  const { part } = call;
  if (openCallState || !isOpen(part)) return toolState(part, live, openCallState);
  if (below(call).some(isWaiting)) return waitingForPerson;
  return goesOn(call, live) ? { word: "goes on", tone: "live" } : toolState(part, live);
}

/** waitingForPerson is the state of a call whose code waits for a person. */
export const waitingForPerson: ToolState = { word: "waiting for you", tone: "caution" };

/**
 * goesOn says whether the code of a call goes on although its turn has ended: a person has answered some of what it
 * asked, and another turn goes on with it.
 */
function goesOn(call: Nested<ToolPart>, live: boolean): boolean {
  return !live && isOpen(call.part) && below(call).some(isAnswered);
}

/**
 * isLiveBelow says whether a call that the code of `caller` has made is still active. One that was approved waits for the
 * next turn.
 */
export function isLiveBelow(
  caller: Nested<ToolPart>,
  { part }: Nested<ToolPart>,
  live: boolean,
  openCallState?: ToolState,
): boolean {
  return live || (!openCallState && goesOn(caller, live) && part.state !== "approval-responded");
}

/** callStates describes the calls that the code of a call has made. */
export function callStates(caller: Nested<ToolPart>, live: boolean, openCallState?: ToolState): ToolState[] {
  return caller.calls.map((call) => callState(call, isLiveBelow(caller, call, live, openCallState), openCallState));
}

/** isOpen says whether a call has no result, and does not wait for a person itself. */
function isOpen(part: ToolPart): boolean {
  if (part.state === "approval-responded") return part.approval.approved;
  if (part.state === "output-available") return part.preliminary === true;
  return (part.state === "input-streaming" || part.state === "input-available") && !questionOf(part);
}

function isWaiting(part: ToolPart): boolean {
  return isPendingApproval(part) || questionOf(part) !== undefined;
}

/** isAnswered says whether a person has answered a call that waited. */
function isAnswered(part: ToolPart): boolean {
  if (part.approval?.approved !== undefined) return true;
  return getToolName(part) === askTool && part.state === "output-available";
}
