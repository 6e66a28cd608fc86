// Makes the README's pictures from the page as it is: ./build.sh build && node e2e/pictures.ts
import { type Browser, chromium } from "@playwright/test";
import config from "../playwright.config.ts";
import { dev } from "./dev.ts";

const server = await dev();
const browser = await chromium.launch(config.use?.launchOptions);
try {
  await picture(browser, "chat", "light", "Show me some Markdown");
  await picture(browser, "helpers", "light", "Compare HTTP/3 and gRPC");
  await picture(browser, "helpers-dark", "dark", "Compare HTTP/3 and gRPC");
} finally {
  await browser.close();
  await server.stop();
}

async function picture(browser: Browser, name: string, colorScheme: "light" | "dark", say: string): Promise<void> {
  const page = await browser.newPage({
    colorScheme,
    reducedMotion: "reduce",
    viewport: { width: 1100, height: 860 },
    deviceScaleFactor: 1.5,
  });
  await page.goto(`${server.url}/?c=calm-brook-${name}`);
  await page.getByRole("textbox", { name: "Message" }).fill(say);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Regenerate" }).waitFor();
  await page.screenshot({ path: `web/screenshots/${name}.png` });
  await page.close();
}
