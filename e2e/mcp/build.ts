// Runs before the tests of the Model Context Protocol: it makes a project of the agents beside this file, builds it, and
// provides its wrangler.jsonc as `mcp`.
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { application } from "../application.ts";
import { roots } from "./roots.ts";

export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const project = await application(join(import.meta.dirname, "agents"), roots);
  tests.provide("mcp", project.path("wrangler.jsonc"));
  return () => project.remove();
}

declare module "vitest" {
  interface ProvidedContext {
    mcp: string;
  }
}
