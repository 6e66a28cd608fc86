// Tokens for a deployment, made in the way in which an operator makes them (see worker/token.go).
import { createHmac } from "node:crypto";

export const secret = "0123456789abcdef0123456789abcdef";

/** The variables of a deployment that requires tokens. */
export const deployed = { TRIBUTARY_ENV: "production", TRIBUTARY_TOKEN_SECRET: secret };

/** Makes a token for all agents that lasts so many seconds, counted from the next full second. */
export function tokenFor(seconds: number): string {
  return sign({ exp: Math.ceil(Date.now() / 1000) + seconds, anyAgent: true, anyName: true });
}

/** A token with these claims. */
export function sign(claims: object): string {
  const said = [{ alg: "HS256", typ: "JWT" }, claims].map(base64url).join(".");
  return `${said}.${createHmac("sha256", secret).update(said).digest("base64url")}`;
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
