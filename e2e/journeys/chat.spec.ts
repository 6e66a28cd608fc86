import { endless } from "../patience";
import { expect, test } from "./fixture";

test("a message streams, survives a reload in the middle and after, and can be cleared", async ({ chat, page }) => {
  await page.getByRole("button", { name: "What can you do?" }).click();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.first()).toContainText("demo model");
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();

  await chat.say("a longer one chunks=60 delay=50");
  await expect(chat.answers.nth(1)).toContainText("c5 ");
  await page.reload();
  await expect(chat.answers.nth(1)).toContainText("c59 ");
  await expect(chat.stop).toBeHidden();
  expect((await chat.answers.nth(1).textContent())?.match(/c\d+ /g)).toHaveLength(60);

  await page.reload();
  await expect(chat.questions).toHaveCount(2);
  await expect(chat.answers.nth(1)).toContainText(/c0 .*c59 /);

  await chat.clear();
  await expect(chat.questions).toHaveCount(0);
  await page.reload();
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.questions).toHaveCount(0);
});

test("clear says what it deletes, is cancelled by Escape, and deletes background runs too", async ({ chat, page }) => {
  await chat.say(`tool=background ${endless}`);
  const tray = page.getByRole("region", { name: "Background helpers" });
  await expect(tray.getByRole("status").first()).toHaveText("running");
  await expect(chat.stop).toBeHidden();
  const clear = page.getByRole("button", { name: "Clear", exact: true });
  const dialog = page.getByRole("alertdialog", { name: "Clear this conversation?" });
  await clear.press("Enter");
  await expect(dialog).toHaveAccessibleDescription(
    /\d messages and 1 background run,.*What is still at work is stopped/,
  );
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(clear).toBeFocused();
  await expect(chat.questions).toHaveCount(1);

  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(chat.composer).toBeFocused();
  await expect(chat.questions).toHaveCount(0);
  await expect(tray).toBeHidden();
  await page.reload();
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.questions).toHaveCount(0);
  await expect(tray).toBeHidden();
});

test("stop keeps the text so far, and the conversation goes on", async ({ chat, page }) => {
  await chat.say(`much ${endless}`);
  await expect(chat.answers.first()).toContainText("c3 ");
  const said = (await chat.answers.first().textContent()) ?? "";
  await chat.stop.click();
  await expect(chat.stop).toBeHidden();
  await chat.say("little chunks=1");
  await expect(chat.answers.nth(1)).toContainText("c0 ");
  await expect(chat.answers.first()).toContainText(said);
  await expect(chat.answers.first()).not.toContainText("c1999");
  await page.reload();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.answers.first()).toContainText(said);
  await expect(chat.answers.first()).not.toContainText("c1999");
});

test("an answer is regenerated, and a question is edited", async ({ chat, page }) => {
  await chat.say("first chunks=2");
  await expect(chat.answers.first()).toContainText("c1 ");
  await chat.regenerate.click();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.first()).toContainText("c1 ");

  await chat.questions.first().hover();
  await chat.questions.first().getByRole("button", { name: "Edit" }).click();
  const edit = chat.questions.first().getByRole("textbox");
  await edit.fill("other words chunks=4");
  await edit.press("Enter");
  await expect(chat.answers.first()).toContainText("c3 ");
  await page.reload();
  await expect(chat.questions).toHaveText([/other words chunks=4/]);
  await expect(chat.answers).toHaveCount(1);
});

test("two tabs show the same conversation while it streams", async ({ chat, context }) => {
  const other = await context.newPage();
  await other.goto(chat.url);
  const log = other.getByRole("log", { name: "Conversation" });
  await expect(other.getByRole("status", { name: "Connection" })).toHaveText("Connected");
  await chat.say("both chunks=40 delay=30");
  await expect(log).toContainText("c3 ");
  await expect(chat.answers.first()).toContainText("c39 ");
  await expect(log).toContainText("c39 ");
  expect((await log.textContent())?.match(/chunks=40 delay=30|c\d+ /g)).toHaveLength(41);
});
