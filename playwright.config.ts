import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

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
  // Long enough for every wait on a slow machine. Nothing is measured here.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: "chromium",
    launchOptions: { args: quiet, ...(existsSync(system) && { executablePath: system }) },
    trace: "retain-on-failure",
  },
});
