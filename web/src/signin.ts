import { currentToken } from "./address";
import { fieldsOf } from "./fields";
import { linkOf } from "./servers";

/**
 * wayOut presses the link of a server that waits for a person, with the page's token, and returns the address of the
 * authorization server. The browser keeps a cookie by which the person is known who comes back. It throws what the agent
 * says if it refuses.
 */
export async function wayOut(link: string): Promise<string> {
  const token = currentToken();
  const response = await fetch(link, {
    method: "POST",
    headers: { accept: "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    credentials: "same-origin",
    redirect: "error",
  });
  const text = await response.text();
  const { location, error } = fieldsOf(parsed(text));
  const way = linkOf(location);
  if (response.ok && way) return way;
  throw new Error(typeof error === "string" ? error : text.slice(0, 300) || `The server answers ${response.status}.`);
}

/** What a text says as JSON; undefined for any other text, such as the words of the front door. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
