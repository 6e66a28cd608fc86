import { getToolName, isToolUIPart } from "ai";
import { fieldsOf } from "./fields";
import type { MessagePart } from "./part";
import { linkOf } from "./servers";

/** Question is what a program, or the code of a tool, asks a person. */
export interface Question {
  /** The id that the answer names. */
  id: string;
  title: string;
  text: string;
  /** A page that the question is about; empty where there is none. */
  link: string;
  /** The fields of the form; undefined for a question that is answered by yes or no. */
  form: Form | undefined;
}

/** Form is what a person fills in: one value, or an object with a field for each of its properties. */
export interface Form {
  fields: Field[];
  /** The answer is an object. Otherwise it is the value of the only field. */
  object: boolean;
}

/** Field is one value of a form. */
export interface Field {
  /** The property's name; empty for the only value of a form that is no object. */
  name: string;
  /** What the field is about. */
  label: string;
  kind: "text" | "number" | "integer" | "flag" | "choice" | "choices" | "json";
  /** What can be chosen. */
  choices: Choice[];
  required: boolean;
  /** What the field holds first. */
  value: string;
}

/** Choice is a value that can be chosen, and what it is called. */
export interface Choice {
  value: string;
  label: string;
}

/** askTool is the name of the tool whose calls are questions. */
export const askTool = "ask";

/** questionOf reads the question of a tool call that waits for a person; undefined for any other part. */
export function questionOf(part: MessagePart): Question | undefined {
  if (!isToolUIPart(part) || getToolName(part) !== askTool) return undefined;
  const asked = part.state === "approval-requested";
  if (!asked && part.state !== "input-available") return undefined;
  const { title, text, url, choices, schema, default: value } = fieldsOf(part.input);
  return {
    id: asked ? part.approval.id : part.toolCallId,
    title: textOf(title),
    text: textOf(text),
    link: linkOf(url),
    form: asked ? undefined : formOf(schema, choices, value),
  };
}

/** askedOf is what a question asks, in a few words; empty for the call of another tool. */
export function askedOf(part: MessagePart): string {
  if (!isToolUIPart(part) || getToolName(part) !== askTool) return "";
  const { title, text } = fieldsOf(part.input);
  return textOf(title) || textOf(text);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function formOf(schema: unknown, choices: unknown, value: unknown): Form {
  const { type, properties, required } = fieldsOf(schema);
  if (type !== "object") return { object: false, fields: [fieldOf("", schema, true, value, choices)] };
  const names = Array.isArray(required) ? required : [];
  const values = fieldsOf(value);
  const fields = Object.entries(fieldsOf(properties)).map(([name, property]) =>
    fieldOf(name, property, names.includes(name), values[name], undefined),
  );
  return { object: true, fields };
}

const kinds: Partial<Record<string, Field["kind"]>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "flag",
};

function kindOf(type: unknown, choices: Choice[], several: Choice[]): Field["kind"] {
  if (choices.length > 0) return "choice";
  if (several.length > 0) return "choices";
  return (typeof type === "string" && kinds[type]) || "json";
}

/** choicesOf lists what a schema allows, each by its title where it has one. */
function choicesOf(schema: unknown): Choice[] {
  const { enum: values, enumNames, oneOf, anyOf } = fieldsOf(schema);
  const titled = oneOf ?? anyOf;
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    return values.flatMap((value, at) =>
      typeof value === "string" ? [{ value, label: textOf(names[at]) || value }] : [],
    );
  }
  return (Array.isArray(titled) ? titled : []).flatMap((one) => {
    const { const: value, title } = fieldsOf(one);
    return typeof value === "string" ? [{ value, label: textOf(title) || value }] : [];
  });
}

function fieldOf(name: string, schema: unknown, required: boolean, value: unknown, given: unknown): Field {
  const { type, title, description, items, default: usual = undefined } = fieldsOf(schema);
  const several = type === "array" ? choicesOf(items) : [];
  const choices = Array.isArray(given) ? choicesOf({ enum: given }) : choicesOf(schema);
  const kind = kindOf(type, choices, several);
  const first = value ?? usual;
  const shown =
    first === undefined ? "" : kind === "json" || kind === "choices" ? JSON.stringify(first) : String(first);
  const label = textOf(description) || textOf(title) || name;
  return { name, label, kind, choices: kind === "choices" ? several : choices, required, value: shown };
}

/** Filled is the answer that a form makes, or the label of the field that does not fit, with what is wrong. */
export type Filled = { answer: unknown } | { field: string; problem: string };

/** fill makes the answer of what was entered, by the names of the fields. */
export function fill({ fields, object }: Form, entered: Record<string, string>): Filled {
  const answer: Record<string, unknown> = {};
  for (const field of fields) {
    const text = entered[field.name] ?? "";
    if (text.trim() === "" && field.kind !== "flag") {
      if (field.required && field.kind !== "text") return { field: field.name, problem: "An answer is needed here" };
      if (!field.required) continue;
    }
    const value = entryOf(field, text);
    if (value === undefined) return { field: field.name, problem: problems[field.kind] };
    answer[field.name] = value;
  }
  return { answer: object ? answer : answer[""] };
}

const problems: Record<Field["kind"], string> = {
  text: "",
  choice: "One of these has to be chosen",
  choices: "Some of these have to be chosen",
  flag: "",
  number: "A number is needed here",
  integer: "A whole number is needed here",
  json: "A value in JSON is needed here",
};

/** entryOf is what a field's text stands for; undefined if it does not fit. */
function entryOf({ kind, choices }: Field, text: string): unknown {
  const number = Number(text);
  switch (kind) {
    case "number":
      return Number.isFinite(number) ? number : undefined;
    case "integer":
      return Number.isSafeInteger(number) ? number : undefined;
    case "flag":
      return text === "true";
    case "choice":
      return choices.some(({ value }) => value === text) ? text : undefined;
    case "json":
    case "choices":
      return parsed(text);
    default:
      return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
