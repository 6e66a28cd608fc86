// Until when a request is authorized, as its object is told.
import { nameOf, type Target, token } from "./question.ts";

/** The parameter that tells an object: Until in ../durable/protocol. */
const until = "_until";

/**
 * Adds to a query until when the request is authorized, in milliseconds since 1970, or 0 for no end. It removes what the
 * client says under that name, however it is escaped, and the token, which an object does not need and could keep or log. It
 * changes nothing else.
 */
export function stamp({ base, query }: Target, end: number): Target {
  const kept = query.filter((parameter) => ![until, token].includes(nameOf(parameter)));
  return { base, query: end === 0 ? kept : [...kept, `${until}=${end}`] };
}
