// The official conformance suite, run as its command line is.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const suite = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance");

/** The scenarios that a revision scores, from the suite's own list. */
export async function scored(revision: string, role: "server" | "client"): Promise<string[]> {
  const list = await readFile(join(suite, `requirements/${revision}.yaml`), "utf8");
  const [, block = ""] = new RegExp(`^${role}:\n((?:(?: .*|#.*)?\n)*)`, "m").exec(list) ?? [];
  return [...block.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = ""]) => name);
}

/** The variables of a deployment that the suite judges: the document by which one of its scenarios knows a client. */
export const vars = {
  MCP_CLIENT_METADATA_URL: "https://conformance-test.local/client-metadata.json",
};

/** What the suite has found in one scenario. */
export interface Scenario {
  name: string;
  passed: number;
  /** The details of what has failed, or should be better. */
  problems: string[];
  /** What the client has written, if a client is judged. */
  said: string;
}

interface Check {
  id: string;
  name: string;
  description: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  errorMessage?: string;
  details?: unknown;
}

/** Runs the suite to its end, whatever that is, and reads its reports. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Scenario[]> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const all = [join(suite, "dist/index.js"), ...args, "--timeout", "200000", "--output-dir", folder];
  await new Promise((resolve) => {
    execFile(process.execPath, all, { env: { ...process.env, ...env }, maxBuffer: 1 << 28 }, resolve);
  });
  const reports = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith("checks.json"));
  const scenarios = await Promise.all(reports.map((path) => read(folder, path, args[0] ?? "")));
  await rm(folder, { recursive: true, force: true });
  return scenarios;
}

async function read(folder: string, path: string, role: string): Promise<Scenario> {
  const checks = JSON.parse(await readFile(join(folder, path), "utf8")) as Check[];
  const said = await readFile(join(folder, path.replace("checks.json", "stdout.txt")), "utf8").catch(() => "");
  return {
    name: nameIn(path, role),
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    problems: checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").map(words),
    said: said.trim(),
  };
}

/** The scenario of a folder: server-NAME-TIME for a server, and NAME-TIME for a client. A name may have slashes. */
const nameIn = (path: string, role: string) =>
  path
    .replace(/\/checks\.json$/, "")
    .replace(/-\d{4}-\d{2}-\d{2}T[\dZ-]+$/, "")
    .slice(role === "server" ? "server-".length : 0);

const words = ({ id, status, description, errorMessage, details }: Check) =>
  `${status} ${id}: ${description}\n${errorMessage ?? ""}\n${JSON.stringify(details) ?? ""}`;

/** Judges a server by all that a revision has, whether it is scored or not. */
export const judgeServer = (url: string, revision: string) => run(["server", "--url", url, "--requirements", revision]);

/** How many scenarios of clients are run side by side. Each starts two Nodes. */
const abreast = 4;

/** Judges the client of an application by some scenarios. The suite alone would run all of them side by side. */
export async function judgeClient(agent: string, revision: string, names: string[]): Promise<Scenario[]> {
  const command = `${process.execPath} ${join(import.meta.dirname, "client.ts")}`;
  const left = [...names];
  const found: Scenario[] = [];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const args = ["client", "--command", command, "--scenario", name, "--spec-version", revision];
      found.push(...(await run(args, { AGENT: agent })));
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return found;
}
