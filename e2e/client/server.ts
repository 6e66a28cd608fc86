// Runs before the client's tests: it starts a wrangler dev on the demo model, and provides its address as `url`.
import type { TestProject } from "vitest/node";
import { dev } from "../dev";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await dev();
  project.provide("url", server.url);
  return server.stop;
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}
