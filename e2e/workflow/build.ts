// Runs before the tests of workflows: it makes a project of the agents beside this file, builds it, and provides its
// wrangler.jsonc as `workflows`.
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { Project } from "../project";

/** The agents that have an address. */
const roots = ["Assistant", "Cashier"];

export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const project = await Project.create("-empty", "-page=false");
  await rm(project.path("agents"), { recursive: true });
  await cp(join(import.meta.dirname, "agents"), project.path("agents"), { recursive: true });
  await project.edit(
    "wrangler.jsonc",
    [
      '[{ "name": "Assistant", "class_name": "Assistant" }]',
      JSON.stringify(roots.map((name) => ({ name, class_name: name }))),
    ],
    ['"new_sqlite_classes": ["Assistant"]', `"new_sqlite_classes": ${JSON.stringify(roots)}`],
  );
  const { status, said } = await project.tool("build");
  if (status !== 0) throw new Error(said);
  tests.provide("workflows", project.path("wrangler.jsonc"));
  return () => project.remove();
}

declare module "vitest" {
  interface ProvidedContext {
    workflows: string;
  }
}
