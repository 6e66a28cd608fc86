// Runs before the tests of workflows: it makes a project of the agents beside this file, builds it, and provides its
// wrangler.jsonc as `workflows`.
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { application } from "../application";

export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const project = await application(join(import.meta.dirname, "agents"), ["Assistant", "Cashier"]);
  tests.provide("workflows", project.path("wrangler.jsonc"));
  return () => project.remove();
}

declare module "vitest" {
  interface ProvidedContext {
    workflows: string;
  }
}
