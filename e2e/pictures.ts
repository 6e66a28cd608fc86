// Makes the pictures of the page's main states: ./build.sh screenshots
import { type Browser, chromium, type Page } from "@playwright/test";
import config from "../playwright.config.ts";
import { dev } from "./dev.ts";
import { serve } from "./mcp/demo/server.ts";

interface Picture {
  width: number;
  height?: number;
  colorScheme: "light" | "dark";
  /** Brings the page into the state of the picture. */
  pose: (page: Page) => Promise<void>;
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

const answered = (page: Page) => page.getByRole("button", { name: "Regenerate" }).waitFor();

async function ask(page: Page, text: string): Promise<void> {
  await say(page, text);
  await answered(page);
}

/** Waits for two helpers that have reported, with their time and usage. */
async function compare(page: Page): Promise<void> {
  await ask(page, "Compare HTTP/3 and gRPC");
  await page.getByText("Time taken").nth(1).waitFor();
}

/** Code that pays two people at once, of whom one needs an approval. */
const payment = `code: const bills = [
  { to: "Bob", amount: 20 },
  { to: "Ada", amount: 120 },
];
const paid = await Promise.all(bills.map((bill) => tools.pay(bill)));
return paid.map(({ to, receipt }) => to + ": " + receipt);`;

const pictures: Record<string, Picture> = {
  welcome: {
    width: 1200,
    colorScheme: "light",
    pose: (page) => page.getByRole("status", { name: "Connection" }).filter({ hasText: "Connected" }).waitFor(),
  },
  chat: { width: 1200, colorScheme: "light", pose: (page) => ask(page, "Show me some Markdown") },
  helpers: { width: 1200, height: 1000, colorScheme: "light", pose: compare },
  "helpers-dark": {
    width: 1200,
    height: 1000,
    colorScheme: "dark",
    pose: compare,
  },
  approval: {
    width: 1200,
    colorScheme: "light",
    pose: async (page) => {
      await say(page, "Plan the release with config/.env");
      await page.getByRole("region", { name: "Waiting for approval" }).waitFor();
    },
  },
  code: {
    width: 1200,
    colorScheme: "light",
    pose: async (page) => {
      await say(page, payment);
      await page.getByRole("region", { name: "Waiting for approval" }).waitFor();
      await page.getByRole("button", { name: "Regenerate" }).waitFor();
    },
  },
  servers: {
    width: 1200,
    colorScheme: "light",
    pose: async (page) => {
      await page.getByRole("button", { name: /^Tools from servers/ }).click();
      const panel = page.getByRole("dialog", { name: "Tools from servers" });
      await panel.getByRole("textbox", { name: "Name" }).fill("demo");
      await panel.getByRole("textbox", { name: "Address" }).fill(demo.url);
      await panel.getByRole("button", { name: "Add", exact: true }).click();
      await panel.getByText("8 tools").click();
    },
  },
  side: {
    width: 1200,
    colorScheme: "dark",
    pose: async (page) => {
      await ask(page, "Research durable execution");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("dialog").getByRole("article", { name: "Assistant" }).waitFor();
    },
  },
  background: {
    width: 390,
    colorScheme: "light",
    pose: async (page) => {
      await ask(page, "Look into durable execution tool=background chunks=1000 delay=100");
      await page.getByRole("list", { name: "Milestones" }).filter({ hasText: "read" }).waitFor();
    },
  },
  inspector: {
    width: 1200,
    colorScheme: "light",
    pose: async (page) => {
      await say(page, "tool=compare chunks=1000 delay=100");
      await page
        .getByRole("region", { name: /^Helper / })
        .first()
        .getByText("c3 ")
        .waitFor();
      await page.goto(page.url().replace("/?c=", "/inspect/assistant/"));
      await page.getByRole("group", { name: "Rows of run" }).waitFor();
    },
  },
};

async function take(
  browser: Browser,
  url: string,
  name: string,
  { width, height = 800, colorScheme, pose }: Picture,
): Promise<void> {
  const page = await browser.newPage({ colorScheme, reducedMotion: "reduce", viewport: { width, height } });
  await page.goto(`${url}/?c=calm-brook-${name}`);
  await pose(page);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `web/screenshots/${name}.png` });
  await page.close();
}

const demo = await serve({ port: 8990 });
const server = await dev();
const browser = await chromium.launch(config.use?.launchOptions);
try {
  for (const [name, picture] of Object.entries(pictures)) await take(browser, server.url, name, picture);
} finally {
  await browser.close();
  await server.stop();
  await demo.stop();
}
