// What a tab shows, in the form of the vectors.
import type { useAgentChat } from "@cloudflare/ai-chat/react";
import type { useAgentToolEvents } from "agents/react";

export interface View {
  status: string;
  error: string;
  observing: boolean;
  recovering: boolean;
  messages: Fields[];
  runs: Record<string, Fields>;
}

type Fields = Record<string, unknown>;

export const nothing: View = { status: "", error: "", observing: false, recovering: false, messages: [], runs: {} };

const ofMessage = ["id", "role", "metadata"];
const ofPart = [
  ...["type", "text", "state", "toolCallId", "input", "output", "errorText", "approval", "id", "data"],
  ...["mediaType", "url"],
];
const ofRun = [
  "runId",
  "agentType",
  "parentToolCallId",
  "inputPreview",
  "order",
  "display",
  "status",
  "summary",
  "error",
  "reason",
];
const ofMilestone = ["name", "sequence", "at", "data"];

/** What the hooks show now. */
export function view(chat: ReturnType<typeof useAgentChat>, helpers: ReturnType<typeof useAgentToolEvents>): View {
  return {
    status: chat.status,
    error: chat.error?.message ?? "",
    observing: chat.isServerStreaming,
    recovering: chat.isRecovering,
    messages: chat.messages.map((message) => tidy(message, ofMessage)),
    runs: Object.fromEntries(Object.entries(helpers.runsById).map(([id, run]) => [id, tidy(run, ofRun)])),
  };
}

/** The view after a step, from the view before it and the changes. `true` stands for an unchanged element. */
export function after(was: View, news: Partial<View> = {}): View {
  const messages = news.messages?.map((message, i) => expand(message, was.messages[i], ofMessage));
  const runs =
    news.runs &&
    Object.fromEntries(Object.entries(news.runs).map(([id, run]) => [id, expand(run, was.runs[id], ofRun)]));
  return { ...was, ...news, messages: messages ?? was.messages, runs: runs ?? was.runs };
}

function expand(is: Fields | true, was: Fields | undefined, fields: string[]): Fields {
  if (is === true) return was ?? {};
  const before = (was?.parts ?? []) as Fields[];
  return tidy(
    { ...is, parts: (is.parts as (Fields | true)[]).map((part, i) => (part === true ? before[i] : part)) },
    fields,
  );
}

/** A message with only the fields that vectors have. */
export const tidyMessage = (message: object) => tidy(message, ofMessage);

function tidy(from: object, fields: string[]): Fields {
  const { parts, milestones } = from as { parts: object[]; milestones?: object[] };
  return {
    ...pick(from, fields),
    parts: parts.map((part) => pick(part, ofPart)),
    ...(milestones?.length ? { milestones: milestones.map((milestone) => pick(milestone, ofMilestone)) } : {}),
  };
}

/** The fields that are compared. */
function pick(from: object, fields: string[]): Fields {
  const { type, state } = from as { type?: string; state?: string };
  // AI SDK 7 gives text and reasoning the ids of their chunks. An incomplete input is shown as far as it can be parsed,
  // also after its call has failed.
  const meaningless = (key: string) =>
    (key === "id" && /^(text|reasoning)$/.test(type ?? "")) ||
    (key === "input" && /^(input-streaming|output-error)$/.test(state ?? ""));
  const says = (value: unknown) => value !== undefined && value !== "";
  return Object.fromEntries(
    Object.entries(from).filter(
      ([key, value]) => key === "summary" || (fields.includes(key) && says(value) && !meaningless(key)),
    ),
  );
}
