// Servers of the Model Context Protocol, as a person sees them: added, signed in to, asked for approval, asked back by,
// and removed; and the conversation as a server itself.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { dev } from "../dev";
import { type Demo, serve } from "../mcp/demo/server";
import { kill } from "../workerd";
import { faultless } from "./axe";
import { test as base, Chat, expect, type Locator, type Page } from "./fixture";

/** Steps lets slow work of the demo server take one step after the other. */
class Steps {
  readonly #waiting: (() => void)[] = [];
  #free = 0;

  /** Waits until a step may be taken. */
  take = (): Promise<void> => {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((go) => this.#waiting.push(go));
  };

  allow(steps: number): void {
    for (let i = 0; i < steps; i++) {
      const go = this.#waiting.shift();
      if (go) go();
      else this.#free++;
    }
  }
}

const test = base.extend<{ steps: Steps; demo: Demo }>({
  steps: async ({ browserName: _ }, use) => use(new Steps()),
  demo: async ({ steps }, use) => {
    const demo = await serve({ pace: steps.take });
    await use(demo);
    await demo.stop();
  },
});

const bar = (chat: Chat) => chat.page.getByRole("region", { name: "Waiting for approval" });
const panel = (chat: Chat) => chat.page.getByRole("dialog", { name: "Tools from servers" });
const entry = (chat: Chat, name = "demo") => panel(chat).getByRole("listitem", { name, exact: true });
const state = (chat: Chat, name = "demo") => entry(chat, name).getByRole("status");
const card = (chat: Chat, tool: string) => chat.conversation.getByRole("group", { name: `Tool ${tool}` });

/** A tab behind another one draws nothing, and is not clicked. */
async function openPanel(chat: Chat): Promise<void> {
  await chat.page.bringToFront();
  await chat.page.getByRole("button", { name: /^Tools from servers/ }).click();
}

async function closePanel(chat: Chat): Promise<void> {
  await chat.page.bringToFront();
  await panel(chat).getByRole("button", { name: "Close" }).click();
}

/** Adds a server in the panel, which has to be open. */
async function add(chat: Chat, name: string, address: string): Promise<void> {
  await panel(chat).getByRole("textbox", { name: "Name" }).fill(name);
  await panel(chat).getByRole("textbox", { name: "Address" }).fill(address);
  await panel(chat).getByRole("button", { name: "Add", exact: true }).click();
}

/** Adds the demo server, and closes the panel again. */
async function addDemo(chat: Chat, demo: Demo): Promise<void> {
  await openPanel(chat);
  await add(chat, "demo", demo.url);
  await expect(state(chat)).toHaveText("ready");
  await closePanel(chat);
}

async function secondTab(chat: Chat): Promise<Chat> {
  const other = chat.in(await chat.page.context().newPage());
  await other.page.goto(chat.url);
  await expect(other.connection).toHaveText("Connected");
  return other;
}

async function approve(chat: Chat): Promise<void> {
  await chat.page.bringToFront();
  await bar(chat).getByRole("button", { name: "Approve" }).click();
}

/** Checks that nothing of the page is wider than the window. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

test("a server is added by its address, seen and called in two tabs, and removed", async ({ chat, demo }) => {
  const other = await secondTab(chat);
  await openPanel(other);
  await expect(panel(other)).toContainText("No server has been added yet.");
  await openPanel(chat);
  await add(chat, "demo", "ftp://example.com/mcp");
  await expect(panel(chat).getByRole("alert")).toContainText("must begin with https");
  await add(chat, "demo", demo.url);
  for (const tab of [chat, other]) {
    await expect(state(tab)).toHaveText("ready");
    await expect(entry(tab)).toContainText("A small office to try things with.");
    await tab.page.bringToFront();
    await entry(tab).getByText("8 tools").click();
    await expect(entry(tab).getByRole("list", { name: "tools" })).toContainText("Says the weather of a city.");
    await expect(entry(tab)).toContainText("1 prompt");
    await expect(entry(tab)).toContainText("1 resource");
  }
  await expect(panel(chat).getByRole("alert")).toBeHidden();
  await chat.page.bringToFront();
  await faultless(chat.page);

  await closePanel(chat);
  await chat.say("mcp: demo_weather Ulm");
  await expect(card(chat, "demo_weather")).toContainText("done");
  await expect(chat.answers.last()).toContainText("Snow in Ulm, 2 °C.");

  await other.page.bringToFront();
  await entry(other).getByRole("button", { name: "Remove" }).click();
  const asked = entry(other).getByRole("alertdialog", { name: "Remove demo?" });
  await asked.getByRole("button", { name: "Keep it" }).click();
  await expect(state(other)).toHaveText("ready");
  await entry(other).getByRole("button", { name: "Remove" }).click();
  await asked.getByRole("button", { name: "Remove" }).click();
  await openPanel(chat);
  for (const tab of [chat, other]) await expect(panel(tab)).toContainText("No server has been added yet.");
  await closePanel(chat);
  await chat.say("mcp: demo_weather Ulm");
  await expect(chat.answers.last()).toContainText("is not available to this agent");
});

test("a person signs in to a server in a new tab, which both tabs are told of, and its tools can be called", async ({
  chat,
  demo,
}) => {
  const other = await secondTab(chat);
  await openPanel(other);
  await openPanel(chat);
  await add(chat, "office", demo.privateUrl);
  for (const tab of [chat, other]) await expect(state(tab, "office")).toHaveText("waiting for you to sign in");
  await faultless(chat.page);
  const link = entry(chat, "office").getByRole("link", { name: /Sign in/ });

  // Opened by itself, the link says what it is about, and a button goes on.
  const explained = await chat.page.context().newPage();
  await explained.goto((await link.getAttribute("href")) ?? "");
  await expect(explained.getByRole("heading", { name: "Sign in to office?" })).toBeVisible();
  await expect(explained.getByRole("definition").filter({ hasText: new URL(demo.privateUrl).host })).toHaveCount(2);
  await faultless(explained);
  await explained.getByRole("button", { name: /^Go on to http/ }).click();
  await expect(explained.getByRole("heading", { name: "Sign in to the demo" })).toBeVisible();
  await explained.close();

  const [page] = await Promise.all([chat.page.waitForEvent("popup"), link.click()]);
  await expect(page.getByRole("heading", { name: "Sign in to the demo" })).toBeVisible();
  expect(await page.evaluate(() => window.opener)).toBeNull();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("heading", { name: "Signed in" })).toBeVisible();
  await expect(page.getByRole("definition").first()).toHaveText("assistant");
  for (const tab of [chat, other]) {
    await expect(state(tab, "office")).toHaveText("ready");
    await expect(entry(tab, "office").getByRole("link", { name: /Sign in/ })).toHaveCount(0);
  }
  await closePanel(chat);
  await chat.say("mcp: office_weather Ulm");
  await expect(chat.answers.last()).toContainText("Snow in Ulm, 2 °C.");
});

test("a tool that writes is approved once, from either of two tabs, and one that is denied is not called", async ({
  chat,
  demo,
}) => {
  await addDemo(chat, demo);
  const other = await secondTab(chat);
  await chat.say('mcp: demo_note {"text":"buy tea"}');
  for (const tab of [chat, other]) {
    await expect(bar(tab)).toContainText("note at the server demo");
    await expect(bar(tab)).toContainText('It is sent {"text":"buy tea"}');
  }
  expect(demo.office.notes).toEqual([]);
  await approve(other);
  for (const tab of [chat, other]) {
    await expect(bar(tab)).toBeHidden();
    await expect(tab.answers.last()).toContainText("Noted as number 1.");
  }
  await chat.page.bringToFront();
  await chat.say("mcp: demo_note a second one");
  await bar(chat).getByRole("button", { name: "Deny" }).click();
  await expect(card(chat, "demo_note").last()).toContainText("denied");
  await expect(chat.stop).toBeHidden();
  expect(demo.office.notes).toEqual(["buy tea"]);
});

test("a picture of a tool is shown in both tabs, and after a reload", async ({ chat, demo }) => {
  await addDemo(chat, demo);
  const other = await secondTab(chat);
  await chat.page.bringToFront();
  await chat.say("mcp: demo_picture Ulm");
  await expect(chat.answers.last()).toContainText("Ulm in the evening.");
  await expect(chat.stop).toBeHidden();
  await other.page.reload();
  for (const tab of [chat, other]) {
    const picture = tab.answers.last().getByRole("img", { name: "Picture from a tool" });
    await expect(picture).toHaveAttribute("src", /^data:image\/png;base64,/);
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(48);
  }
  await faultless(chat.page);
  expect(demo.office.calls).toEqual(["picture"]);
});

test("a server asks while every process is killed, and is answered in the tab that stayed open", async ({
  page,
  demo,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "tributary-mcp-"));
  const server = await dev({ state: folder });
  try {
    const chat = new Chat(page, `${server.url}/?c=asked`);
    await page.goto(chat.url);
    await addDemo(chat, demo);
    await chat.say("mcp: demo_book The Golden Hind");
    await approve(chat);
    await expect(bar(chat)).toContainText("The server demo asks");
    await expect(bar(chat)).toContainText("When do you want to eat at The Golden Hind?");
    await expect(chat.stop).toBeHidden();
    await faultless(page);
    kill(server, folder);
    await expect(chat.connection).not.toHaveText("Connected");
    await expect(chat.connection).toHaveText("Connected");
    const form = bar(chat);
    await form.getByLabel("How many guests").fill("many");
    await form.getByRole("button", { name: "Answer" }).click();
    await expect(form.getByRole("alert").first()).toBeVisible();
    await form.getByLabel("Which day").selectOption("Friday");
    await form.getByLabel("How many guests").fill("4");
    await form.getByRole("button", { name: "Answer" }).click();
    await expect(chat.answers.last()).toContainText("A table at The Golden Hind is booked for 4 on Friday.");
    await expect(bar(chat)).toBeHidden();
    expect(demo.office.bookings).toEqual(["The Golden Hind, Friday, 4"]);
    expect(demo.office.calls).toEqual(["book"]);
    await expect(chat.conversation).not.toContainText("interrupted");
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a server has a person visit a page of its own, which is shown by host and link", async ({ chat, demo }) => {
  await addDemo(chat, demo);
  await chat.say("mcp: demo_sign the lease");
  await approve(chat);
  await expect(bar(chat)).toContainText(`The server demo asks you to visit ${new URL(demo.url).host}`);
  const [page] = await Promise.all([
    chat.page.waitForEvent("popup"),
    bar(chat)
      .getByRole("link", { name: /\/sign\// })
      .click(),
  ]);
  await page.getByRole("button", { name: "Sign it" }).click();
  await expect(page.getByRole("heading", { name: "Signed" })).toBeVisible();
  await bar(chat).getByRole("button", { name: "Yes" }).click();
  await expect(chat.answers.last()).toContainText("The letter about the lease is signed.");
});

test("slow work shows how far it is in both tabs, and a task is waited for", async ({ chat, demo, steps }) => {
  await addDemo(chat, demo);
  const other = await secondTab(chat);
  await chat.page.bringToFront();
  await chat.say("mcp: demo_count 4");
  const progress = (tab: Chat) => card(tab, "demo_count").getByRole("progressbar");
  for (const tab of [chat, other])
    await expect(progress(tab)).toHaveAttribute("aria-valuetext", "0 %, Counting 1 of 4");
  steps.allow(2);
  for (const tab of [chat, other])
    await expect(progress(tab)).toHaveAttribute("aria-valuetext", "50 %, Counting 3 of 4");
  await faultless(chat.page);
  steps.allow(2);
  await expect(chat.answers.last()).toContainText("It is 4.");
  for (const tab of [chat, other]) await expect(progress(tab)).toBeHidden();

  await chat.say("mcp: demo_print Moby Dick");
  await approve(chat);
  await expect(card(chat, "demo_print")).toContainText("goes on");
  steps.allow(5);
  await expect(chat.answers.last()).toContainText("“Moby Dick” is printed and bound.");
  expect(demo.office.calls).toEqual(["count", "print"]);
});

test("a tool that its server has changed is marked, and asks again", async ({ chat, demo }) => {
  await addDemo(chat, demo);
  demo.office.described.set("weather", "Says the weather, and sends your notes to somebody.");
  await openPanel(chat);
  await entry(chat).getByRole("button", { name: "Reconnect" }).click();
  await expect(entry(chat)).toContainText("8 tools, 1 changed");
  await entry(chat).getByText("8 tools").click();
  await expect(entry(chat).getByRole("listitem").filter({ hasText: "sends your notes" })).toContainText("changed");
  await faultless(chat.page);
  await closePanel(chat);
  await chat.say("mcp: demo_weather Ulm");
  await expect(bar(chat)).toContainText("The server has changed this tool");
  await approve(chat);
  await expect(chat.answers.last()).toContainText("Snow in Ulm");
  await openPanel(chat);
  await expect(entry(chat)).not.toContainText("changed");
});

test("a server that cannot be reached says why, and comes back", async ({ chat, demo }) => {
  await addDemo(chat, demo);
  await openPanel(chat);
  await add(chat, "gone", "http://127.0.0.1:9/mcp");
  await expect(state(chat, "gone")).toHaveText("failed");
  await expect(entry(chat, "gone")).toContainText(/reached|connect|answer/);
  await closePanel(chat);
  await expect(chat.page.getByRole("button", { name: "Tools from servers, of which one needs you" })).toBeVisible();
  await chat.say("mcp: demo_weather Ulm");
  await expect(chat.answers.last()).toContainText("Snow in Ulm");
});

test("the panel fits a narrow page", async ({ chat, demo, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(chat.connection).toHaveText("Connected");
  const right = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const mark = page.getByRole("banner").getByText("Tributary").filter({ visible: true });
  expect(await right(mark)).toBeLessThan((await chat.connection.boundingBox())?.x ?? 0);
  await openPanel(chat);
  await faultless(page);
  await add(chat, "demo", demo.url);
  await expect(state(chat)).toHaveText("ready");
  await entry(chat).getByText("8 tools").click();
  await fits(page);
  await faultless(page);
  await page.keyboard.press("Escape");
  await expect(panel(chat)).toBeHidden();
  await chat.say("mcp: demo_book The Golden Hind");
  await approve(chat);
  await expect(bar(chat)).toContainText("When do you want to eat");
  await fits(page);
  await faultless(page);
});

test("the address for other programs is one that they can use", async ({ chat, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPanel(chat);
  const own = panel(chat).getByRole("region", { name: "For other programs" });
  await own.getByRole("button", { name: "Copy the address" }).click();
  const address = await chat.page.evaluate(() => navigator.clipboard.readText());
  await expect(own).toContainText(address);

  const client = new Client({ name: "another program", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["ask", "compare", "pay", "plan", "research"]);
  const answer = await client.callTool({ name: "ask", arguments: { message: "Hello chunks=2" } });
  expect(JSON.stringify(answer.content)).toContain("c1 ");
  await client.close();
  await panel(chat).getByRole("button", { name: "Close" }).click();
  await expect(chat.answers.last()).toContainText("c1 ");
});
