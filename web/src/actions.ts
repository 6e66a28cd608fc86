import { fieldsOf } from "./fields";
import type { Tone } from "./tone";

/** Action is one entry of the agent's ledger: a call of a tool that acts once for a key. */
export interface Action {
  id: string;
  tool: string;
  key: string;
  state: "begun" | "done" | "failed" | "unknown" | "undone";
  /** Who asked for it and who approved it; empty where that is not known. */
  by: string;
  approvedBy: string;
  /** When it began, in milliseconds since 1970. */
  begunAt: number;
  /** The beginning of its result, or why it has none. */
  outcome: string;
}

/** Actions is a page of the ledger, newest first. */
export interface Actions {
  actions: Action[];
  /** Where the next page begins; empty if there is none. */
  cursor: string;
}

const states: Record<Action["state"], { word: string; tone: Tone }> = {
  begun: { word: "under way", tone: "live" },
  done: { word: "done", tone: "good" },
  failed: { word: "failed", tone: "danger" },
  unknown: { word: "unknown", tone: "caution" },
  undone: { word: "undone", tone: "calm" },
};

/** actionState names an action's state in a word, with its tone. */
export function actionState({ state }: Action): { word: string; tone: Tone } {
  return states[state];
}

/** parseActions reads the answer of the method `actions`. It leaves out entries of another form. */
export function parseActions(answer: unknown): Actions {
  const { actions, cursor } = fieldsOf(answer);
  return { actions: Array.isArray(actions) ? actions.flatMap(parseAction) : [], cursor: textOf(cursor) };
}

function parseAction(value: unknown): Action[] {
  const { id, tool, key, state, by, approvedBy, begunAt, preview, error } = fieldsOf(value);
  if (typeof id !== "string" || typeof tool !== "string" || typeof key !== "string" || !isState(state)) return [];
  const outcome = textOf(error) || textOf(preview);
  return [
    { id, tool, key, state, by: textOf(by), approvedBy: textOf(approvedBy), begunAt: Number(begunAt) || 0, outcome },
  ];
}

function isState(state: unknown): state is Action["state"] {
  return typeof state === "string" && state in states;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
