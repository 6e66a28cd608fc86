import { fieldsOf } from "../fields";

/** Value is the value of one cell. */
export type Value = string | number | null;

/** Table holds the newest rows of one table. */
export interface Table {
  name: string;
  columns: string[];
  rows: Value[][];
  /** The number of all rows. */
  total: number;
}

/** Usage is what model calls have used. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  modelCalls: number;
}

/** Cost is what an object has used since it came into memory. */
export interface Cost {
  /** The way to the object from the inspected one: slots with slashes between them, empty for the inspected one. */
  path: string;
  /** When it came into memory, in milliseconds since 1970. */
  since: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** Bytes to clients and from them. */
  down: number;
  up: number;
}

/** Helper is a run and the helper that works for it. */
export interface Helper {
  run: string;
  class: string;
  path: string;
  /** What the run has used since it began, with all helpers below it. */
  usage: Usage;
}

/** Inspection is the answer of an agent's method `inspect`: the content of its storage. */
export interface Inspection {
  class: string;
  name: string;
  /** The agent's clock, in milliseconds since 1970. */
  now: number;
  /** What model calls have used since the agent began, with all helpers below it. */
  usage: Usage;
  /** The agent's own part of the usage. */
  own: Usage;
  /** The newest helpers that are kept, the last one first. */
  helpers: Helper[];
  /** What the agent and the helpers in memory have used since they came there. */
  costs: Cost[];
  /** What code is doing and what people are asked, as far as there is any of it. */
  sections: Table[];
  tables: Table[];
}

/** parseInspection reads the answer to `inspect`. It throws where the answer has another form. */
export function parseInspection(answer: unknown): Inspection {
  if (!isInspection(answer)) throw new Error("the agent's answer is no inspection");
  return answer;
}

function isInspection(answer: unknown): answer is Inspection {
  const { class: kind, now, usage, own, helpers, costs, sections, tables } = fieldsOf(answer);
  const known = typeof kind === "string" && typeof now === "number" && isUsage(usage) && isUsage(own);
  const listed = every(sections, isTable) && every(tables, isTable);
  return known && every(helpers, isHelper) && every(costs, isCost) && listed;
}

function every(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isUsage(value: unknown): value is Usage {
  const { inputTokens, outputTokens, modelCalls } = fieldsOf(value);
  return [inputTokens, outputTokens, modelCalls].every((count) => typeof count === "number");
}

function isHelper(value: unknown): value is Helper {
  const { run, class: kind, path, usage } = fieldsOf(value);
  return [run, kind, path].every((text) => typeof text === "string") && isUsage(usage);
}

function isCost(value: unknown): value is Cost {
  const { path, ...counts } = fieldsOf(value);
  const { since, statements, rowsRead, rowsWritten, down, up } = counts;
  const numbers = [since, statements, rowsRead, rowsWritten, down, up];
  return typeof path === "string" && numbers.every((count) => typeof count === "number");
}

function isTable(value: unknown): value is Table {
  const { name, columns, rows, total } = fieldsOf(value);
  return typeof name === "string" && Array.isArray(columns) && Array.isArray(rows) && typeof total === "number";
}

/** isBusy says whether something is active, so that the storage is going to change. */
export function isBusy({ tables }: Inspection): boolean {
  return tables.some((table) => {
    const ended = table.columns.indexOf("ended_at");
    return ended >= 0 && table.rows.some((row) => row[ended] === 0);
  });
}

/** time matches the names of columns that hold a time. */
const time = /(^|_)(at|due|deadline)$/;

/** cellText formats a cell: times as a time of day, other values unchanged. */
export function cellText(column: string, value: Value): string {
  if (value === null) return "null";
  if (typeof value === "number" && value > 1e12 && time.test(column)) return clock(value);
  return String(value);
}

/** clock formats a time of day with milliseconds, and with the date where it is not today. */
function clock(at: number): string {
  const [day, rest = ""] = new Date(at).toISOString().split("T");
  const today = new Date().toISOString().startsWith(day ?? "");
  return `${today ? "" : `${day} `}${rest.replace("Z", "")}`;
}

/** Section is what a section is called, and what it is about. */
interface Section {
  title: string;
  meaning: string;
}

/** sectionOf names a section. */
export function sectionOf(name: string): Section {
  return sections[name] ?? { title: name, meaning: "" };
}

const sections: Record<string, Section> = {
  approvals: { title: "Open approvals", meaning: "calls that wait for a person, here and in helpers" },
  questions: { title: "Open questions", meaning: "what code asks a person, here and in helpers" },
  steps: { title: "Steps of code", meaning: "steps whose journal is kept, with their attempts" },
  runs: { title: "Control of runs", meaning: "pauses, labels, versions, restarts and origins" },
  signals: { title: "Signals of runs", meaning: "how many were sent, received, kept and dropped" },
  actions: { title: "Ledger of actions", meaning: "what tools have done once for a key" },
  servers: { title: "Servers of MCP", meaning: "what this agent knows of the servers whose tools it uses" },
  calls: { title: "Calls of programs", meaning: "what other programs have called, under way or kept for them" },
};

/** meanings explains the purpose of each table. */
export const meanings: Record<string, string> = {
  turn: "who spoke, and how it ended",
  step: "model calls of the turn that is under way",
  tool_call: "the calls that its steps asked for",
  run: "helpers at work as tools",
  letter: "ends of detached runs that are still to be handed over",
  caller: "calls that wait for the end of a turn",
  waiter: "which code waits for which run",
  milestone_waiter: "which code waits for which milestone",
  signal: "signals that a helper has not acknowledged",
  signal_count: "how many signals runs were sent, and have received",
  signal_id: "the ids of signals that were sent with one",
  await: "the journal of code that is under way or may be repeated",
  inbox: "how many signals have come for this code",
  inbox_signal: "signals that no code has received",
  task: "what a parent has asked of this helper",
  ask: "calls that wait for the browser or a person",
  question: "what code has asked a person, open or over",
  answered: "who has answered which call",
  action: "the ledger: what tools have done once for a key",
  action_waiter: "code that waits for the action of another call",
  action_up: "what the ledger of the root is asked",
  action_finished: "which requests of helpers have come to an end",
  schedule: "what falls due, and when",
  callback: "the calls that code has scheduled",
  unwoken: "helpers that could not be woken for theirs",
  spent: "what runs have used, by turn; 0 is all",
  message: "the conversation",
  chunk: "the durable log of what was streamed",
  milestone: "the stages that runs have reached",
  narration: "what a turn says that asks no model",
  slot: "the places that helpers live in",
  answer: "answers of people that a helper has not acknowledged",
  heard: "answers of people that this helper was given",
  offer: "streams that tabs have not taken up yet",
  early: "streams that tabs were shown before they asked",
  drill: "tabs that talk with a helper",
  authorized: "until when connections are let in",
  call_id: "the ids that providers have given to tool calls",
  untold: "turns without a model that wait for their place",
  setting: "single settings",
  damage: "rows that could not be read",
  room_version: "how far each room's tables have come",
};
