// What an object is told of who sends a request: some of its headers, and what the front door has verified.

/**
 * The headers that are passed on, beside those of a parameter of MCP. Authorization and cookie are the front door's. By the
 * key of idempotency a repeated signal is known.
 */
const passed = new Set([
  "accept",
  "content-type",
  "host",
  "idempotency-key",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  // The front door's own: of the cookies, the one by which a person comes back who signs in to a server of an agent.
  "tributary-link",
]);
const parameter = "mcp-param-";

/** The longest value of a header that is passed on, and the size of all of them with their names, in bytes. */
const maxValue = 8 << 10;
const maxHeader = 16 << 10;

/** The header in which the front door says what it has verified. It removes a client's own. */
const claims = "tributary-claims";

/** What is known of who sends a request. */
export interface Sender {
  /** Headers by their names in lower case. */
  header: Record<string, string>;
  /** A JSON object in ASCII, or empty in development. */
  claims: string;
}

/** Reads the sender of a request; undefined where the headers are too large. */
export function senderOf(request: Pick<Request, "headers">): Sender | undefined {
  const sender: Sender = { header: {}, claims: "" };
  let size = 0;
  for (const [name, value] of request.headers) {
    if (name === claims) sender.claims = value;
    if (!passed.has(name) && !name.startsWith(parameter)) continue;
    size += name.length + value.length;
    if (value.length > maxValue || size > maxHeader) return undefined;
    sender.header[name] = value;
  }
  return sender;
}
