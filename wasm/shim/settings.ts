// What the shim reads out of the Worker's environment.

/** How many bytes of a request's body are read. */
export const maxBody = 1 << 20;

/**
 * How long a socket's message may be, in UTF-16 units or bytes, to be handed to the module, which holds it several times
 * over while it reads it. What an agent accepts is less; this keeps what nobody accepts out of a memory that all share.
 */
export const maxMessage = 5 << 20;

const secret = /_(KEY|TOKEN|SECRET)$/;

/** The variables that an object is told, and the names of the secrets that its fetches may refer to. */
export function variables(env: Record<string, unknown>): { vars: Record<string, string>; secrets: string[] } {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    vars: Object.fromEntries(texts.filter(([name]) => !secret.test(name))),
    secrets: texts.map(([name]) => name).filter((name) => secret.test(name)),
  };
}
