// A helper in the background: it continues while the conversation goes on, whatever happens to the page or the server.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dev } from "../dev";
import { endless } from "../patience";
import { kill } from "../workerd";
import { Chat, expect, type Locator, test } from "./fixture";

const found = "Found two sources on";
const finished = "(The Researcher at work in the background has finished.)";

/** The panels of the helpers that no tool call waits for. */
const tray = (chat: Chat) =>
  chat.page.getByRole("region", { name: "Background helpers" }).getByRole("region", { name: /^Helper / });

const word = (helper: Locator) => helper.getByRole("status").first();
const progress = (helper: Locator) => helper.getByRole("progressbar", { name: "Progress" });
const details = (helper: Locator) => helper.getByRole("button", { name: "Details" });

/** Waits until a helper is working, far from its end, and has reported progress. */
async function atWork(chat: Chat): Promise<void> {
  const helper = tray(chat);
  await reports(chat);
  await expect(word(helper)).toHaveText("running");
  await expect(progress(helper)).toHaveAttribute("aria-valuenow", "67");
}

/** Waits until a helper has searched, read, and said a few words about it. */
async function reports(chat: Chat): Promise<void> {
  const helper = tray(chat);
  await expect(helper).toHaveCount(1);
  await details(helper).click();
  await expect(helper).toContainText("Milestone: searched");
  await expect(helper).toContainText("Milestone: read");
  await expect(helper).toContainText("c3 ");
}

/**
 * Waits until the helper has finished and the chat has announced its end, and checks that every announcement was made
 * once.
 */
async function told(chat: Chat, chunks: number): Promise<void> {
  await expect(word(tray(chat))).toHaveText("completed");
  await expect(tray(chat)).toContainText(`c${chunks - 1} `);
  await expect(chat.answers.last()).toContainText("There is news from the background");
  await expect(chat.stop).toBeHidden();
  await expect(chat.answers.filter({ hasText: found })).toHaveCount(1);
  await expect(chat.questions.filter({ hasText: finished })).toHaveCount(1);
}

test("a helper continues in the background while the page is reloaded, and the chat announces its end", async ({
  chat,
  page,
}) => {
  await chat.say("tool=background tea chunks=200 delay=50");
  const helper = tray(chat);
  await reports(chat);
  await page.reload();
  await reports(chat);
  await told(chat, 200);

  await page.reload();
  await expect(word(helper)).toHaveText("completed");
  await expect(progress(helper)).toHaveCount(0);
  await details(helper).click();
  await expect(helper).toContainText("Milestone: searched");
  await told(chat, 200);
});

test("a person goes on talking while a helper works in the background, until any tab cancels it", async ({
  chat,
  context,
  page,
}) => {
  await chat.say(`tool=background tea ${endless}`);
  await expect(chat.answers.filter({ hasText: found })).toHaveCount(1);
  await chat.say("And meanwhile? chunks=2");
  await expect(chat.answers.last()).toContainText("c1 ");
  await atWork(chat);
  await page.reload();
  await atWork(chat);
  await expect(chat.answers.filter({ hasText: found })).toHaveCount(1);
  const other = chat.in(await context.newPage());
  await other.page.goto(chat.url);
  await atWork(other);
  await tray(other).getByRole("button", { name: "Cancel" }).click();
  for (const tab of [chat, other]) {
    await expect(word(tray(tab))).toHaveText("aborted");
    await expect(progress(tray(tab))).toHaveCount(0);
    await expect(tray(tab)).toContainText("Milestone: searched");
  }
  await chat.say("Is it gone? chunks=2");
  await expect(chat.answers.last()).toContainText("c1 ");
  await expect(chat.questions.filter({ hasText: "at work in the background" })).toHaveCount(0);
});

test("a helper in the background survives the death of the server, and the chat announces its end", async ({
  page,
}) => {
  const state = await mkdtemp(join(tmpdir(), "tributary-background-"));
  const server = await dev({ state });
  try {
    const chat = new Chat(page, `${server.url}/?c=background`);
    await page.goto(chat.url);
    await chat.say("tool=background tea chunks=400 delay=50");
    await reports(chat);
    kill(server, state);
    await expect(chat.connection).not.toHaveText("Connected");
    await expect(chat.connection).toHaveText("Connected");
    await told(chat, 400);
    const shown = await tray(chat).textContent();
    await page.reload();
    await details(tray(chat)).click();
    await expect(tray(chat)).toHaveText(shown ?? "");
    await told(chat, 400);
  } finally {
    await server.stop();
    await rm(state, { recursive: true, force: true });
  }
});
