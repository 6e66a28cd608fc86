// The client that the conformance suite judges: a fresh Visitor, driven over its WebSocket.
//
//   AGENT=http://127.0.0.1:8787 node e2e/mcp/client.ts http://127.0.0.1:3000/mcp
//
// MCP_CONFORMANCE_SCENARIO names the scenario, and MCP_CONFORMANCE_CONTEXT holds what else it says. The program
// says in its last line whether it has ended as the scenario expects. If not, its status is 1.
import { Browser } from "./browser.ts";
import { Guest, isOver, type Pending, type Schema, type ShownTool, type Wanted } from "./guest.ts";

const [url = ""] = process.argv.slice(2);
const { AGENT = "", MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: given = "{}" } = process.env;

/** The scenarios in which a server must be refused, or gives no access. */
const refused = [
  "auth/scope-retry-limit",
  "auth/resource-mismatch",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
];

/** What the scenario says besides the address: calls to make, and a client that was registered by hand. */
const context = JSON.parse(given) as {
  toolCalls?: { name: string; arguments: unknown }[];
  client_id?: string;
  client_secret?: string;
};
const client = context.client_id ? { client: { id: context.client_id, secret: context.client_secret } } : {};

/** The most links that are followed. A client that asks for more goes round in circles. */
const mostLinks = 5;
let links = 0;

/** Opens the link of a server that wants a person to sign in, in a browser of its own. */
async function signIn(link: string): Promise<void> {
  if (++links > mostLinks) throw new Error(`it wants a person to sign in for the ${links}th time`);
  const browser = new Browser();
  const { status, text, url } = await browser.follow(await browser.leave(new URL(link, AGENT).href));
  if (status >= 400) throw new Error(`signing in has ended at ${url} with ${status}: ${text}`);
}

/** Signs in as often as a server wants, until it is ready. */
async function settle(guest: Guest, id: string): Promise<void> {
  for (;;) {
    const { state, error, authUrl } = await known(guest, id);
    if (state === "ready") break;
    if (state === "failed") throw new Error(`the server has failed: ${error}`);
    if (authUrl) await signIn(authUrl);
    else await guest.state(id, "ready", "failed", "authenticating");
  }
  await guest.state(id, "ready"); // in a frame, which has the tools
}

interface Known {
  id: string;
  state: string;
  error?: string;
  /** The link by which a person signs in. */
  authUrl?: string;
}

/** A server as it is now. A frame may be older, and its link not good any more. */
async function known(guest: Guest, id: string): Promise<Known> {
  const list = await guest.call<Known[]>("mcpServers");
  const server = list.find((one) => one.id === id);
  if (server === undefined) throw new Error("the server is gone");
  return server;
}

/** Has the model make a call. Meanwhile it signs in, and answers what the server asks. */
async function make(guest: Guest, id: string, wanted: Wanted): Promise<void> {
  const before = (await guest.calls()).length;
  const asked = new Set<string>();
  const turn = guest.turn(wanted);
  turn.catch(() => {}); // its error is thrown below
  const part = await guest.until(async () => {
    const { authUrl } = await known(guest, id);
    if (authUrl) await signIn(authUrl);
    for (const question of await guest.questions()) {
      if (asked.has(question.id)) continue;
      asked.add(question.id);
      await answer(guest, question);
    }
    return (await guest.calls()).slice(before).find(isOver);
  });
  await turn;
  if (part.state !== "output-available") throw new Error(`${wanted.tool} has failed: ${part.errorText}`);
}

/** Answers a question with what it proposes, or with a sample. */
async function answer(guest: Guest, { id, kind, input }: Pending): Promise<void> {
  if (kind === "approval" || input === undefined || input.schema.properties === undefined)
    await guest.call("approve", id);
  else guest.enter(id, input.default ?? sample(input.schema));
}

/** A value that fits a schema. */
function sample({ type, properties = {}, required = [], enum: choices, default: value }: Schema): unknown {
  if (value !== undefined) return value;
  if (choices !== undefined) return choices[0];
  switch (type) {
    case "object":
      return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sample(schema)]));
    case "array":
      return [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 3;
    default:
      return required.length > 0 ? null : "sample";
  }
}

const nameOf = (tool: string) => `suite_${tool}`;

/** The calls that the scenario wants, or one of each tool. */
function callsOf(tools: ShownTool[]): Wanted[] {
  if (context.toolCalls !== undefined)
    return context.toolCalls.map((one) => ({ tool: nameOf(one.name), input: one.arguments }));
  if (scenario === "json-schema-2020-12-preservation") {
    const schema = tools.find(({ name }) => name !== "json_schema_echo")?.inputSchema;
    return [{ tool: nameOf("json_schema_echo"), input: { schema } }];
  }
  return tools.map(({ name, inputSchema }) => ({ tool: nameOf(name), input: sample(inputSchema) }));
}

async function run(): Promise<void> {
  const guest = await Guest.open(AGENT, `suite-${crypto.randomUUID()}`);
  try {
    const id = await guest.add("suite", url, client);
    await settle(guest, id);
    for (const call of callsOf(guest.servers.tools)) await make(guest, id, call);
    await guest.call("removeMcpServer", id);
  } finally {
    guest.close();
  }
}

const ended = await run().then(() => "done", String);
const expected = (ended !== "done") === refused.includes(scenario);
console.log(`${ended}\n${expected ? "as expected" : "not expected"}`);
if (!expected) process.exitCode = 1;
