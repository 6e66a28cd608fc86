// What the tests' model says: it plays the Assistant and its Researchers, and decides by what it is asked alone.

/** A request for chat completions, as far as the play looks at it. */
export interface Request {
  messages: Message[];
  tools?: { function: { name: string } }[];
}

interface Message {
  role: string;
  content: string | null;
  tool_call_id?: string;
}

/** Where in the play a request stands. */
export interface Scene {
  /** What the person, or the parent, has asked. */
  prompt: string;
  /** The number of tools that have answered since. */
  step: number;
  /** The id of the call whose answer came last, or "". */
  answered: string;
  /** What an earlier attempt at this answer had said, which is gone on behind. */
  said: string;
}

/** An answer: words, and then perhaps a tool to be called. */
export interface Line {
  words: string;
  call?: { name: string; input: object };
}

/** How many words a Researcher reports. */
const length = 24;

/** What a Researcher says about something: before its search, and behind it. */
export const research = (topic: string): string[] => [searching(topic), report(topic)];

/** What the Assistant says when it is asked to compare two things: before it has them looked at, and behind that. */
export const comparison = (a: string, b: string): string[] => [asking(a, b), summary(outcome(a), outcome(b))];

/** What a run comes to that was asked about something. */
export const outcome = (topic: string): string => research(topic).join("\n\n");

const searching = (topic: string) => `Let me look up ${topic}. `;
const report = (topic: string) => Array.from({ length }, (_, i) => `${topic}:${i} `).join("");
const asking = (a: string, b: string) => `I have ${a} and ${b} looked at. `;
const summary = (a: string, b: string) => `The first: ${a}The second: ${b}That is all.`;

/** Reads where in the play a request stands. */
export function scene({ messages }: Request): Scene {
  const goesOn = messages.at(-1)?.content?.startsWith("Your answer broke off there.") ?? false;
  const heard = goesOn ? messages.slice(0, -2) : messages;
  const asked = heard.findLastIndex(({ role }) => role === "user");
  const answers = heard.slice(asked).filter(({ role }) => role === "tool");
  return {
    prompt: heard[asked]?.content ?? "",
    step: answers.length,
    answered: answers.at(-1)?.tool_call_id ?? "",
    said: goesOn ? (messages.at(-2)?.content ?? "") : "",
  };
}

/** The whole of an answer, whatever has been said of it. */
export function line(request: Request): Line {
  const { prompt, step } = scene(request);
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

/** What the Assistant makes of what its tool has returned. */
function conclusion(result: string): string {
  const { a, b } = JSON.parse(result) as { a?: { summary?: string }; b?: { summary?: string } };
  return a && b ? summary(String(a.summary), String(b.summary)) : `It came to ${result}.`;
}
