// The settings that the shim reads from the Worker's environment, and its limits.

/** The largest request body, in bytes. */
export const maxBody = 1 << 20;

/**
 * The largest socket message that is passed to the module, in UTF-16 units or bytes. The module holds several copies while it
 * reads one. Agents accept less; this limit keeps larger messages out of the memory that all objects share.
 */
export const maxMessage = 5 << 20;

const secret = /_(KEY|TOKEN|SECRET)$/;

/** Lists the variables that an object is given, and the names of the secrets that its fetches may use. */
export function variables(env: Record<string, unknown>): { vars: Record<string, string>; secrets: string[] } {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    vars: Object.fromEntries(texts.filter(([name]) => !secret.test(name))),
    secrets: texts.map(([name]) => name).filter((name) => secret.test(name)),
  };
}
