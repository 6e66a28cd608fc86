// A developer's page: it says when a build is under way and why one failed.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tell } from "./about";
import { faultless } from "./axe";
import { test as base, Chat, expect, fresh } from "./fixture";
import { SocketProxy } from "./socketproxy";

/** The event stream of a tool that builds. */
class Tool {
  readonly #server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Access-Control-Allow-Origin": "*" });
    response.write(`event: build\ndata: ${JSON.stringify({ state: "ok", error: "" })}\n\n`);
    this.#listeners.push(response);
  });
  readonly #listeners: ServerResponse[] = [];

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get listeners(): number {
    return this.#listeners.length;
  }

  tell(state: string, error = ""): void {
    for (const listener of this.#listeners)
      listener.write(`event: build\ndata: ${JSON.stringify({ state, error })}\n\n`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const test = base.extend<{ tool: Tool }>({
  tool: async ({ browser: _ }, use) => {
    const tool = new Tool();
    await use(tool);
    tool.close();
  },
});

// A tool adds its address to the policy of the page that it builds. This one has built no page.
test.use({ bypassCSP: true });

const agent = { agent: "assistant", title: "Harbour guide", suggestions: ["Where may I moor tonight?"] };
const mistake = "# harbour/agents\nagents/guide.go:12:5: undefined: berth\nagents/guide.go:14:9: missing return";

test("a failed build shows its error until a build succeeds, and what was built is asked for anew", async ({
  page,
  server,
  tool,
}) => {
  const proxy = await SocketProxy.of(page);
  const told = await tell(page, [agent], await tool.listen());
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  await expect.poll(() => tool.listeners).toBe(1);
  const word = page.getByRole("status", { name: "Build" });
  const panel = page.getByRole("alert", { name: "Failed build" });

  tool.tell("building");
  await expect(word).toHaveText("Building");
  await expect(panel).toHaveCount(0);
  tool.tell("failed", mistake);
  await expect(word).toBeEmpty();
  await expect(panel).toContainText("agents/guide.go:12:5: undefined: berth");
  await expect(panel).toContainText("The last one that worked is still running.");
  await faultless(page);

  // A build that is under way leaves the error where it is.
  tool.tell("building");
  await expect(word).toHaveText("Building");
  await expect(panel).toContainText("undefined: berth");
  tool.tell("failed", "main.go:3:1: expected declaration");
  await expect(panel).toContainText("main.go:3:1: expected declaration");
  await expect(panel).not.toContainText("undefined: berth");

  // A folded error stays folded, also in another conversation, which listens to the same stream.
  const text = panel.getByRole("group", { name: "Error of the build" });
  await panel.locator("summary").press("Enter");
  await expect(text).toBeHidden();
  await faultless(page);
  await page.getByRole("button", { name: "New chat" }).click();
  await expect(chat.connection).toHaveText("Connected");
  await expect(panel).toBeVisible();
  await expect(text).toBeHidden();
  expect(tool.listeners).toBe(1);
  await panel.locator("summary").press("Enter");
  await expect(text).toBeVisible();

  expect(told.times).toBe(1);
  tool.tell("ok");
  await expect(panel).toHaveCount(0);
  await expect.poll(() => told.times).toBe(2);
  // The new Worker answers as soon as it has taken the place of the one before, which ends its connections.
  await tell(page, [{ ...agent, title: "Pilot" }]);
  await proxy.cut("Closed: a new version");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pilot");
});

test("a long error scrolls in its panel, and the composer stays free", async ({ page, server, tool }) => {
  await tell(page, [agent], await tool.listen());
  const chat = new Chat(page, fresh(server));
  await page.setViewportSize({ width: 390, height: 560 });
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  await expect.poll(() => tool.listeners).toBe(1);
  const lines = Array.from({ length: 200 }, (_, n) => `agents/guide.go:${n + 1}:5: undefined: ${"berth".repeat(20)}`);
  tool.tell("failed", lines.join("\n"));
  const text = page.getByRole("group", { name: "Error of the build" });
  await expect(text).toContainText("agents/guide.go:200:5");
  expect(await text.evaluate(({ clientHeight, scrollHeight }) => scrollHeight > clientHeight)).toBe(true);
  expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const height = await text.evaluate((box) => box.getBoundingClientRect().height);
  expect(height).toBeLessThanOrEqual(560 * 0.3 + 1);
  await chat.say("meanwhile chunks=40");
  await expect(chat.answers).toContainText("c39 ");
  await chat.composer.click({ trial: true });
  await expect(page.getByRole("alert", { name: "Failed build" })).toBeInViewport({ ratio: 1 });
  await faultless(page);
});

test("a page that is told of no tool loads nothing of this, and listens to nobody", async ({ page, server }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await tell(page, [agent]);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
  expect(asked.filter((url) => /build/i.test(new URL(url).pathname))).toEqual([]);
});
