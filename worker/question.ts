// What Go is asked about a request. Its answer depends on nothing else, so that an answer can be remembered.

/**
 * The headers that Go is given: those that it reads, and the cookies for a login of one's own. Each costs time, and a
 * browser sends twenty.
 */
const headers = [
  "access-control-request-headers",
  "authorization",
  "content-length",
  "cookie",
  "host",
  "origin",
  "sec-fetch-site",
  "sec-websocket-protocol",
  "upgrade",
] as const;

/** The parameter that carries a token. */
export const token = "token";
/**
 * The parameters that Go is given of the query. The state is what an authorization server sends back, and sig the
 * signature in a link by which a person signs in to a server.
 */
const given: readonly string[] = [token, "state", "sig"];

/** A URL in parts, as it was sent: what stands before the query, and the parameters, none of them empty. */
export interface Target {
  base: string;
  query: string[];
}

/** Cuts a URL into parts, and changes none of them. A fragment is dropped. */
export function target(url: string): Target {
  const [whole = ""] = url.split("#", 1);
  const mark = whole.indexOf("?");
  if (mark < 0) return { base: whole, query: [] };
  const query = whole.slice(mark + 1).split("&");
  return { base: whole.slice(0, mark), query: query.filter((parameter) => parameter !== "") };
}

/** The URL of a target. */
export function address({ base, query }: Target): string {
  return query.length === 0 ? base : `${base}?${query.join("&")}`;
}

/** The decoded name of a parameter. What cannot be decoded has no name. */
export function nameOf(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return "";
  }
}

/** A request in the form that syumai's Go reads: plain data, so that Go keeps no object that belongs to a request. */
export interface Question {
  method: string;
  url: string;
  headers: Map<string, string>;
  body: null;
}

/**
 * The question that Go is asked about a request. Of a body Go learns only that there is one: its length is unknown, which
 * in Go's requests is -1.
 */
export function question(request: Pick<Request, "method" | "headers" | "body">, { base, query }: Target): Question {
  const told = new Map<string, string>();
  for (const name of headers) {
    const value = request.headers.get(name);
    if (value !== null) told.set(name, value);
  }
  const empty = request.body === null || told.get("content-length") === "0";
  told.delete("content-length");
  if (!empty) told.set("content-length", "-1");
  const url = address({ base, query: query.filter((parameter) => given.includes(nameOf(parameter))) });
  return { method: request.method, url, headers: told, body: null };
}

/** A text that two questions share only if they are the same. */
export function keyOf({ method, url, headers: given }: Question): string {
  return JSON.stringify([method, url, ...headers.map((name) => given.get(name) ?? null)]);
}
