// The settings that the shim reads from the Worker's environment, and its limits.

/** The largest request body, in bytes. */
export const maxBody = 1 << 20;

/**
 * The largest socket message that is passed to the module, in UTF-16 units or bytes. The module holds several copies while it
 * reads one. Agents accept less; this limit keeps larger messages out of the memory that all objects share.
 */
export const maxMessage = 5 << 20;

/** The names of secrets: ../../internal/project/secret.go checks those that a configuration declares by the same rule. */
const secret = /_(KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS|DSN)$/i;
const address = /_URL$/i;

/** A user before the host of an address, whose password may have a slash in it. */
const user = /^(?!mailto:)([a-z][a-z0-9+.:-]*:)?(\/\/)?([^/?#]*|[^/?#:]*:(?!\d*\/).*)@/i;

/** The same further on: an address in a list of addresses, or one that is a parameter of another. */
const userWithin = /\/\/[^/?#\s]+@/;

/** A parameter of an address that holds a password, by its name: in its query, its fragment or its settings. */
const parameter = new RegExp(
  "(^|[?&;#])(" +
    "[\\w.-]*(password|passwd|passphrase|pwd|secret|token|credential|signature|jwt)" +
    "|([\\w.-]*[-_])?(key|pass|sig|auth)" +
    "|[\\w.-]*(api|access|account|auth)key" +
    ")=[^&;]",
  "i",
);

/** Says whether a variable is a secret, by its name or, of an address, by its value. */
export function isSecret(name: string, value: string): boolean {
  return secret.test(name) || (address.test(name) && hasPassword(value.trim()));
}

/** Says whether an address, or a list of addresses, has a password in it. */
function hasPassword(text: string): boolean {
  return [user, userWithin, parameter].some((pattern) => pattern.test(text));
}

/** Lists the variables that an object is given, and the names of the secrets that its fetches may use. */
export function variables(env: Record<string, unknown>): { vars: Record<string, string>; secrets: string[] } {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const [vars, secrets]: [[string, string][], string[]] = [[], []];
  for (const [name, value] of texts) {
    if (isSecret(name, value)) secrets.push(name);
    else vars.push([name, value]);
  }
  return { vars: Object.fromEntries(vars), secrets };
}
