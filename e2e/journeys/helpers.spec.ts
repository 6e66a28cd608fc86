// Helpers, as a person meets them. An endless run is active until it is stopped. A shorter run may end at any moment of
// a journey, so such a journey checks only its end.

import { endless } from "../patience";
import { type Chat, expect, type Locator, type Page, test } from "./fixture";

/** Waits until helpers have said a few words. */
async function heard(chat: Chat, count: number): Promise<void> {
  await expect(chat.helpers).toHaveCount(count);
  for (const helper of await chat.helpers.all()) await expect(helper).toContainText("c3 ");
}

/** Waits until helpers are working, far from their end, and have said a few words. */
async function atWork(chat: Chat, count: number): Promise<void> {
  await heard(chat, count);
  for (const helper of await chat.helpers.all()) await expect(helper.getByRole("status")).toHaveText("running");
}

/** Waits until all helpers have ended with the same status and show how long they took. */
async function ended(chat: Chat, count: number, word: "completed" | "aborted"): Promise<void> {
  await expect(chat.helpers).toHaveCount(count);
  for (const helper of await chat.helpers.all()) {
    await expect(helper.getByRole("status")).toHaveText(word);
    await expect(helper).toContainText(/Time taken: (\d+ min )?\d+ s/);
  }
  await expect(chat.stop).toBeHidden();
}

/** The numbers of the chunks that are shown, in their order. */
async function chunks(where: Locator): Promise<string[]> {
  return (await where.textContent())?.match(/c\d+ /g) ?? [];
}

/** Waits until exactly these chunks are shown, once each and in their order. */
const say = (where: Locator, what: string[]) => expect.poll(() => chunks(where)).toEqual(what);

const upTo = (count: number) => Array.from({ length: count }, (_, i) => `c${i} `);

test("two helpers stream side by side under one tool call", async ({ chat }) => {
  await chat.say(`tool=compare ${endless}`);
  const call = chat.conversation.getByRole("group", { name: "Tool compare" });
  await expect(call).toHaveCount(1);
  await atWork(chat, 2);
  await expect(call.getByRole("region")).toHaveCount(2);
  const [first, second] = [chat.helpers.first(), chat.helpers.last()];
  await expect(first).toHaveAccessibleName(/HTTP\/3/);
  await expect(second).toHaveAccessibleName(/gRPC/);
  // Both are measured at the same moment, because the page scrolls as its content grows.
  const [left, right] = await call
    .getByRole("region")
    .evaluateAll((panels) => panels.map((panel) => panel.getBoundingClientRect().toJSON() as DOMRect));
  expect(right?.y).toBe(left?.y);
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));

  // Both grow at the same time: neither has ended when the other one continues.
  const before = [await chunks(first), await chunks(second)];
  await expect(first).toContainText(`c${(before[0]?.length ?? 0) + 20} `);
  await expect(second).toContainText(`c${(before[1]?.length ?? 0) + 20} `);
  await atWork(chat, 2);

  // One is cancelled, and the other one continues.
  await first.getByRole("button", { name: "Cancel" }).click();
  await expect(first.getByRole("status")).toHaveText("aborted");
  await expect(first).toContainText("the run was cancelled");
  const alone = (await chunks(second)).length;
  await expect(second).toContainText(`c${alone + 20} `);
  await expect(second.getByRole("status")).toHaveText("running");
  await chat.stop.click();
  await ended(chat, 2, "aborted");
  await expect(first).toContainText("the run was cancelled");
  await expect(second).toContainText("the turn was stopped");
});

test("a reload in the middle and one afterwards show everything that helpers said, once", async ({ chat, page }) => {
  await chat.say("tool=compare chunks=150 delay=20");
  await heard(chat, 2);
  await page.reload();
  await ended(chat, 2, "completed");
  for (const helper of await chat.helpers.all()) await say(helper, upTo(150));
  // The answer is made of the helpers' reports.
  await expect(chat.answers).toContainText("c2 xxx");

  const shown = await chat.conversation.textContent();
  await page.reload();
  await ended(chat, 2, "completed");
  await expect(chat.conversation).toHaveText(shown ?? "");
});

test("stop in the middle stops both helpers, and an opened helper shows that", async ({ chat, page }) => {
  await chat.say(`tool=compare ${endless}`);
  await atWork(chat, 2);
  await chat.stop.click();
  await ended(chat, 2, "aborted");
  for (const helper of await chat.helpers.all()) await expect(helper).toContainText("the turn was stopped");
  const call = chat.conversation.getByRole("group", { name: "Tool compare" });
  await expect(call.locator("summary")).toHaveText(/stopped$/);

  const said = await chunks(chat.helpers.first());
  await chat.helpers.first().getByRole("button", { name: "Open" }).click();
  await expect(chat.side.send).toBeVisible();
  await expect(chat.side.conversation).toHaveAttribute("aria-busy", "false");
  await expect(chat.side.answers).toHaveCount(1);
  // The helper may have said a little more before it was stopped, and nothing since.
  const kept = await chunks(chat.side.answers);
  expect(kept.slice(0, said.length)).toEqual(said);
  await page.reload();
  await expect(chat.side.send).toBeVisible();
  await say(chat.side.answers, kept);
  await page.keyboard.press("Escape");
  await expect(chat.side.dialog).toBeHidden();
  await ended(chat, 2, "aborted");
  await say(chat.helpers.first(), said);
});

test("a researcher is opened while it works, talked to and stopped, and its panel does not change", async ({
  chat,
  page,
}) => {
  await chat.say("tool=research chunks=150 delay=20");
  await heard(chat, 1);
  const panel = chat.helpers.first();
  await panel.getByRole("button", { name: "Open" }).click();
  const { side } = chat;
  await expect(side.questions).toHaveText([/durable execution chunks=150 delay=20/]);
  await expect(side.answers).toContainText("c149 ");
  await expect(side.send).toBeVisible();
  await say(side.answers, upTo(150));
  await ended(chat, 1, "completed");
  const report = await panel.textContent();

  await side.say(`and then ${endless}`);
  await expect(side.answers.nth(1)).toContainText("c3 ");
  await side.stop.click();
  await expect(side.send).toBeVisible();
  await side.say("more chunks=2");
  await expect(side.answers.nth(2)).toContainText("c1 ");
  await expect(panel).toHaveText(report ?? "");

  await page.reload();
  await expect(side.questions).toHaveText([/chunks=150/, /and then/, /more/]);
  await expect(side.answers.nth(2)).toContainText("c1 ");
  await page.keyboard.press("Escape");
  await expect(side.dialog).toBeHidden();
  await expect(chat.helpers).toHaveCount(1);
  await expect(panel).toHaveText(report ?? "");
});

test("a planner reads files, plans, and can be asked again", async ({ chat, page }) => {
  await chat.say("Plan a weekend in Lisbon");
  const panel = page.getByRole("region", { name: "Helper Plan: a weekend in Lisbon" });
  await expect(panel.getByRole("status")).toHaveText("completed");
  await expect(panel).toContainText(/Time taken: \d+ s · [1-9][\d.]*k? tokens/);
  const card = panel.getByRole("group", { name: "Tool inspect_file" });
  await expect(card).toContainText("done");
  await expect(card.getByText("Output")).toBeHidden();
  await card.locator("summary").click();
  await expect(card).toContainText(/Input.*"path".*Output.*a simulated file of a simulated project/s);
  await expect(card.getByText("Output")).toBeVisible();
  await panel.getByRole("button", { name: "Details" }).click();
  await expect(card).toBeHidden();
  await expect(chat.stop).toBeHidden();
  await panel.getByRole("button", { name: "Open" }).click();
  const { side } = chat;
  await expect(side.dialog).toHaveAccessibleName("Helper Plan");
  await expect(side.questions).toHaveText(["a weekend in Lisbon"]);
  await expect(side.answers.getByRole("group", { name: "Tool inspect_file" })).toContainText("done");
  await expect(side.answers.getByRole("listitem").first()).toBeVisible();
  await side.say("and then chunks=2");
  await expect(side.answers.nth(1)).toContainText("c1 ");
  await expect(chat.answers).toHaveCount(1);
});

test("a second tab that comes in the middle shows the same panels, and stops them for both", async ({
  chat,
  context,
}) => {
  await chat.say(`tool=compare ${endless}`);
  await atWork(chat, 2);
  const other = chat.in(await context.newPage());
  await other.page.goto(chat.url);
  await atWork(other, 2);
  await other.stop.click();
  await ended(chat, 2, "aborted");
  await ended(other, 2, "aborted");
  const panels = await chat.helpers.allTextContents();
  await expect(other.helpers).toHaveText(panels);
  for (const helper of await other.helpers.all()) await say(helper, upTo((await chunks(helper)).length));
});

test("clear removes all helpers, running or not, and a page that shows one says so", async ({
  chat,
  context,
  page,
}) => {
  await chat.say(`tool=compare ${endless}`);
  await atWork(chat, 2);
  const other = chat.in(await context.newPage());
  await other.page.goto(chat.url);
  await other.helpers.first().getByRole("button", { name: "Open" }).click();
  await expect(other.side.answers).toContainText("c3 ");

  await chat.clear();
  await expect(chat.helpers).toHaveCount(0);
  await expect(chat.questions).toHaveCount(0);
  await expect(other.side.dialog.getByRole("alert")).toContainText("the run was deleted");
  await page.reload();
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.helpers).toHaveCount(0);
  await page.goto(other.page.url());
  await expect(chat.side.dialog.getByRole("alert")).toContainText("404");
});

test("a helper that does not exist is refused with a reason, and not requested again", async ({ chat, page }) => {
  await page.clock.install();
  const asked: string[] = [];
  page.on("websocket", (socket) => asked.push(new URL(socket.url()).pathname));
  await page.goto(`${chat.url}&run=Researcher/nobody`);
  await expect(chat.side.dialog.getByRole("alert")).toContainText("404");
  await page.clock.fastForward("05:00");
  await mark(page);
  expect(asked.filter((path) => path.includes("/sub/researcher/nobody"))).toHaveLength(1);
});

/** Waits until the test has seen every socket that the page has opened so far. */
async function mark(page: Page): Promise<void> {
  const told = page.waitForEvent("websocket", (socket) => socket.url().endsWith("/mark"));
  await page.evaluate(() => void new WebSocket(`ws://${location.host}/mark`));
  await told;
}
