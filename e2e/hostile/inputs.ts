// What hostile servers, models and clients send, by its kind. Tests may use it, and `./build.sh bench neighbour` sends it while
// a neighbour asks.

/** The schema that a server gives for the output of a tool, and the output. */
export interface Pair {
  what: string;
  schema: object;
  output: object;
}

type Node = Record<string, unknown>;

/** A chain of so many definitions, each of which comes to the next one twice. */
function chain(length: number, link: (next: Node) => Node, last: Node): Node {
  const ref = (n: number): Node => ({ $ref: `#/$defs/d${n}` });
  const defs = Object.fromEntries(
    Array.from({ length }, (_, n) => [`d${n}`, n + 1 < length ? link(ref(n + 1)) : last] as const),
  );
  return { type: "object", properties: { a: ref(0) }, $defs: defs };
}

const never = { type: "null" };
const words = Array.from({ length: 900 }, (_, n) => `word-${n}`);
const many = Array.from({ length: 15_000 }, (_, n) => `other-${n}`);
const properties = Object.fromEntries(many.map((name) => [name, 1]));
const one = { a: 1 };

/** The schemas, and values that cost most with them. */
export const pairs: Pair[] = [
  { what: "a schema that refers to itself", schema: { type: "object", $ref: "#" }, output: one },
  { what: "the same in allOf", schema: { type: "object", allOf: [{ $ref: "#" }] }, output: one },
  {
    what: "two that refer to each other",
    schema: { type: "object", $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    output: one,
  },
  { what: "2^30 of oneOf", schema: chain(30, (next) => ({ oneOf: [next, next] }), never), output: one },
  { what: "2^30 of anyOf", schema: chain(30, (next) => ({ anyOf: [next, next] }), never), output: one },
  { what: "2^22 of allOf", schema: chain(22, (next) => ({ allOf: [next, next] }), { type: "number" }), output: one },
  {
    what: "2^30 of if and then",
    schema: chain(30, (next) => JSON.parse(`{"if":${JSON.stringify(next)},"then":${JSON.stringify(next)}}`), {
      type: "number",
    }),
    output: one,
  },
  { what: "2^30 of if and else", schema: chain(30, (next) => ({ if: next, else: next }), never), output: one },
  {
    what: "2^30 of not",
    schema: chain(30, (next) => ({ allOf: [{ not: { not: next } }, next] }), { type: "number" }),
    output: one,
  },
  {
    what: "2^30 of dependentSchemas",
    schema: {
      ...chain(30, (next) => ({ dependentSchemas: { a: next, b: next } }), { type: "object" }),
      $ref: "#/$defs/d0",
    },
    output: { a: 1, b: 2 },
  },
  {
    what: "2^30 of anchors",
    schema: {
      type: "object",
      $ref: "#a0",
      $defs: Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => {
          const next = { $ref: `#a${Math.min(n + 1, 29)}` };
          return [`d${n}`, n < 29 ? { $anchor: `a${n}`, allOf: [next, next] } : { $anchor: "a29" }];
        }),
      ),
    },
    output: one,
  },
  {
    what: "a dynamic reference to itself",
    schema: { type: "object", $dynamicAnchor: "x", properties: { a: { allOf: [{ $dynamicRef: "#x" }] } }, $ref: "#" },
    output: { a: { a: {} } },
  },
  {
    what: "900 words that 15,000 are compared with",
    schema: { type: "object", properties: { a: { items: { enum: words } } } },
    output: { a: many },
  },
  {
    what: "900 numbers that 15,000 are compared with",
    schema: {
      type: "object",
      properties: { a: { items: { enum: words.map((_, n) => Number(`${n + 1}e-300`)) } } },
    },
    output: { a: many.map((_, n) => Number(`${n + 1}e-299`)) },
  },
  {
    what: "900 alternatives that tell of a text of 600 kB",
    schema: { type: "object", properties: { a: { anyOf: words.map(() => ({ type: "integer" })) } } },
    output: { a: "x".repeat(600_000) },
  },
  {
    what: "700 patterns for 15,000 names",
    schema: {
      type: "object",
      patternProperties: Object.fromEntries(words.slice(0, 700).map((w) => [`^(a|b)*${w}$`, {}])),
    },
    output: properties,
  },
  {
    what: "900 names that 15,000 are compared with",
    schema: { type: "object", propertyNames: { enum: words } },
    output: properties,
  },
  {
    what: "15,000 words, of which one is contained",
    schema: { type: "object", properties: { a: { contains: { enum: words } } } },
    output: { a: many },
  },
  {
    what: "unevaluated items",
    schema: {
      type: "object",
      properties: { a: { allOf: words.slice(0, 300).map(() => ({ contains: {} })), unevaluatedItems: false } },
    },
    output: { a: many },
  },
  {
    what: "15,000 that are to be unique",
    schema: { type: "object", properties: { a: { uniqueItems: true } } },
    output: { a: many.map((word) => ({ word })) },
  },
];

/** The code of a model. The call that it makes may be named by the host of the test. */
export interface Code {
  what: string;
  code: string;
}

/** Code that gets at a function of the prelude, and calls it with something that is no text. */
const prelude = (value: string) => `let call; Error.prepareStackTrace = (e, f) => f;
await tools.echo({ toJSON() { for (const c of new Error().stack)
  if (c.getFunctionName() === "call" && c.getFileName() === "prelude") call = c.getFunction(); return { words: "x" } } });
return await call("x", () => (${value}))`;

export const codes: Code[] = [
  { what: "a report that is no text", code: prelude("{ length: 1, toString: 1 }") },
  {
    what: "a report that says it is 300 MB",
    code: prelude("({ length: 1, toJSON() { return { length: 300000000 } } })"),
  },
  {
    what: "a report that says it is 1.2 GB",
    code: prelude("({ length: 1, toJSON() { return { length: 1200000000 } } })"),
  },
  { what: "a loop", code: "for (;;) {}" },
  { what: "a regular expression", code: "return /(a+)+$/.test('a'.repeat(50) + 'b')" },
  { what: "a recursion", code: "const f = () => f() + 1; return f()" },
  { what: "memory", code: "const all = []; for (;;) all.push('x'.repeat(1000))" },
  { what: "large integers", code: "let n = 3n; for (;;) n *= n" },
  { what: "a sort", code: "for (;;) Array.from({ length: 1e5 }, (_, n) => (n * 7919) % 1e5).sort()" },
  { what: "promises", code: "for (;;) await null" },
  { what: "calls", code: "await Promise.all(Array.from({ length: 1e5 }, () => tools.echo({ words: 'x' })))" },
];

/** What clients of one conversation send. */
export interface Flood {
  what: string;
  /** How many sockets only listen. */
  idle: number;
  /** How many sockets send, and how many frames each sends in a second. */
  senders: number;
  rate: number;
  /** The frames that fill the conversation before. */
  before?: (() => string)[];
  /** Makes the next frame. */
  frame: () => string;
}

const id = () => crypto.randomUUID();
const text = (words: string) => ({ id: id(), role: "user", parts: [{ type: "text", text: words }] });
const asking = (messages: object[], trigger = "submit-message") =>
  JSON.stringify({
    type: "cf_agent_use_chat_request",
    id: id(),
    init: { method: "POST", body: JSON.stringify({ messages, trigger }) },
  });
const posting = (length: number) => () =>
  JSON.stringify({ type: "cf_agent_chat_messages", messages: [text("x".repeat(length))] });
const calling = (method: string, ...args: unknown[]) => JSON.stringify({ type: "rpc", id: id(), method, args });
const long = posting(480_000);

export const floods: Flood[] = [
  {
    what: "states of 1 MB for 500 sockets",
    ...{ idle: 500, senders: 1, rate: 1 },
    frame: () => JSON.stringify({ type: "cf_agent_state", state: { n: id(), x: "x".repeat(1_000_000) } }),
  },
  { what: "calls on one socket", idle: 0, senders: 1, rate: 2000, frame: () => calling("usage") },
  { what: "calls on 20 sockets", idle: 0, senders: 20, rate: 100, frame: () => calling("usage") },
  { what: "methods that there are not", idle: 0, senders: 4, rate: 500, frame: () => calling("none", id()) },
  { what: "frames that are none", idle: 0, senders: 4, rate: 500, frame: () => "{}" },
  {
    what: "requests that are refused, with a transcript of 480 kB",
    ...{ idle: 0, senders: 2, rate: 100, before: [long] },
    frame: () => asking([{ role: "assistant", id: id(), parts: [] }]),
  },
  {
    what: "clears of nothing",
    ...{ idle: 0, senders: 4, rate: 250 },
    frame: () => JSON.stringify({ type: "cf_agent_chat_clear" }),
  },
  {
    what: "probes",
    ...{ idle: 0, senders: 4, rate: 500 },
    frame: () => JSON.stringify({ type: "cf_agent_stream_resume_request", probeId: id() }),
  },
  {
    what: "short questions for 300 sockets, with a transcript of 480 kB",
    ...{ idle: 300, senders: 1, rate: 2, before: [long] },
    frame: () => asking([text("hi chunks=1")]),
  },
  { what: "lists of 480 kB for 300 sockets", idle: 300, senders: 1, rate: 2, frame: long },
  {
    what: "answers of many words for 400 sockets",
    ...{ idle: 400, senders: 1, rate: 0.2 },
    frame: () => asking([text("hi chunks=10000")]),
  },
  {
    what: "results and approvals that nobody waits for",
    ...{ idle: 0, senders: 4, rate: 500 },
    frame: () => JSON.stringify({ type: "cf_agent_tool_approval", toolCallId: id(), approved: true }),
  },
  {
    what: "frames of 4 MB",
    ...{ idle: 0, senders: 2, rate: 2 },
    frame: () => JSON.stringify({ type: "x".repeat(4_000_000) }),
  },
];
