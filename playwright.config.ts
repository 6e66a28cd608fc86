import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { wait, whole } from "./e2e/patience.ts";

// The system's Chromium if there is one, otherwise the one that `npx playwright install chromium` has installed.
const system = "/usr/bin/chromium";
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "e2e/journeys",
  outputDir: "test-results",
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: "list",
  timeout: whole,
  expect: { timeout: wait },
  use: {
    browserName: "chromium",
    launchOptions: { args: quiet, ...(existsSync(system) && { executablePath: system }) },
    trace: "retain-on-failure",
  },
});
