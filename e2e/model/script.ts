// The completions of the tests' model, for the Assistant and its Researchers. They depend on the request only.

/** A request for a chat completion, with the fields that the model reads. */
export interface Request {
  messages: Message[];
  tools?: { function: { name: string } }[];
}

interface Message {
  role: string;
  content: string | null;
  tool_call_id?: string;
}

/** The progress of the turn that a request belongs to. */
export interface Progress {
  /** The last message of the user, or the parent's request. */
  prompt: string;
  /** The number of tool results since. */
  step: number;
  /** The id of the call whose result came last, or "". */
  answered: string;
  /** The text of an earlier attempt at this answer, which the completion continues. */
  prefix: string;
}

/** A completion: a text, and perhaps a tool call after it. */
export interface Completion {
  words: string;
  call?: { name: string; input: object };
}

/** The number of words in a Researcher's report. */
const length = 24;

/** A Researcher's texts about a topic: before its search, and after it. */
export const research = (topic: string): string[] => [searching(topic), report(topic)];

/** The Assistant's texts when it compares two things: before its tool call, and after it. */
export const comparison = (a: string, b: string): string[] => [asking(a, b), summary(outcome(a), outcome(b))];

/** The outcome of a run about a topic. */
export const outcome = (topic: string): string => research(topic).join("\n\n");

const searching = (topic: string) => `Let me look up ${topic}. `;
const report = (topic: string) => Array.from({ length }, (_, i) => `${topic}:${i} `).join("");
const asking = (a: string, b: string) => `I have ${a} and ${b} looked at. `;
const summary = (a: string, b: string) => `The first: ${a}The second: ${b}That is all.`;

/** Reads the progress from a request. */
export function progressOf({ messages }: Request): Progress {
  const goesOn = messages.at(-1)?.content?.startsWith("Your answer broke off there.") ?? false;
  const heard = goesOn ? messages.slice(0, -2) : messages;
  const asked = heard.findLastIndex(({ role }) => role === "user");
  const answers = heard.slice(asked).filter(({ role }) => role === "tool");
  return {
    prompt: heard[asked]?.content ?? "",
    step: answers.length,
    answered: answers.at(-1)?.tool_call_id ?? "",
    prefix: goesOn ? (messages.at(-2)?.content ?? "") : "",
  };
}

/** Makes the whole completion, including the text of an earlier attempt. */
export function completionFor(request: Request): Completion {
  const { prompt, step } = progressOf(request);
  const result = request.messages.findLast(({ role }) => role === "tool")?.content ?? "";
  const researches = request.tools?.some((tool) => tool.function.name === "web_search");
  if (researches)
    return step > 0
      ? { words: report(prompt) }
      : { words: searching(prompt), call: { name: "web_search", input: { query: prompt } } };
  if (step > 0) return { words: conclusion(result) };
  const [, a = "", b = ""] = /^Compare (\S+) and (\S+)$/.exec(prompt) ?? [];
  if (a !== "") return { words: asking(a, b), call: { name: "compare", input: { a, b } } };
  const [, n = "1", query = ""] = /^Fan (\d+) (\S+)$/.exec(prompt) ?? [];
  return { words: "Many look. ", call: { name: "fan", input: { n: Number(n), query } } };
}

/** The Assistant's text about a tool's result. */
function conclusion(result: string): string {
  const { a, b } = JSON.parse(result) as { a?: { summary?: string }; b?: { summary?: string } };
  return a && b ? summary(String(a.summary), String(b.summary)) : `It came to ${result}.`;
}
