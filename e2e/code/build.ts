// Runs before the tests of code: it makes a project of the agents beside this file, builds it, and provides its
// wrangler.jsonc as `code`.
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { application } from "../application";

export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const project = await application(join(import.meta.dirname, "agents"), ["Assistant", "Novice"]);
  tests.provide("code", project.path("wrangler.jsonc"));
  return () => project.remove();
}

declare module "vitest" {
  interface ProvidedContext {
    code: string;
  }
}
