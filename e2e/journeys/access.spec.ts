// axe finds no fault with any screen, in light or dark, and everything can be reached by keyboard.

import { endless } from "../patience";
import { faultless } from "./axe";
import { Chat, expect, fresh, test } from "./fixture";
import { SocketProxy } from "./socketproxy";

test("axe finds no fault in a conversation: beginning, answer, edit, attachments, clearing, a narrow page and its list", async ({
  chat,
  page,
}) => {
  await faultless(page);
  await chat.say("Show me some Markdown");
  await expect(chat.regenerate).toBeVisible();
  await expect(chat.answers.locator("pre span[style]").first()).toBeVisible();
  await faultless(page);
  await chat.questions.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await expect(chat.questions.getByRole("textbox")).toBeFocused();
  const files = [
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a note") },
    { name: "rest.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2]) },
  ];
  await page.locator("input[type=file]").setInputFiles(files);
  await expect(page.getByRole("alert")).toHaveText("rest.bin: neither text nor an image");
  await faultless(page);
  await chat.questions.getByRole("textbox").press("Escape");
  await expect(chat.questions.getByRole("button", { name: "Edit" })).toBeFocused();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Keep it" })).toBeFocused();
  await faultless(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Clear" })).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await faultless(page);
  await page.getByRole("button", { name: "Conversations" }).click();
  await expect(page.getByRole("dialog", { name: "Conversations" })).toBeVisible();
  await faultless(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Conversations" })).toBeFocused();
});

test("axe finds no fault in helpers: at work, waiting for a person, opened at the side, in the background, stopped", async ({
  chat,
  page,
}) => {
  await chat.say(`tool=background ${endless}`);
  await expect(chat.regenerate).toBeVisible();
  await expect(page.getByRole("region", { name: "Background helpers" })).toBeVisible();
  await chat.say("Plan the deployment with config/.env");
  await expect(page.getByRole("region", { name: "Waiting for approval" })).toBeVisible();
  await faultless(page);

  const panel = chat.helpers.first();
  await panel.getByRole("button", { name: "Open" }).focus();
  await page.keyboard.press("Enter");
  await expect(chat.side.composer).toBeVisible();
  await faultless(page);
  // The focus stays in the panel while Tab goes through all its elements.
  for (let n = 0; n < 20; n++) {
    await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || Boolean(document.activeElement?.closest("dialog")),
      ),
    ).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("button", { name: "Open" })).toBeFocused();
  await chat.stop.click();
  await expect(panel.getByRole("status").first()).toHaveText("aborted");
  await faultless(page);
  await page.goto(chat.url.replace("/?c=", "/inspect/assistant/"));
  await expect(page.getByRole("group", { name: "Rows of turn" })).toBeVisible();
  await faultless(page);
});

test("axe finds no fault in questions that came during an answer, and they show their outcome", async ({
  page,
  server,
}) => {
  const proxy = await SocketProxy.of(page);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  const parts = (text: string) => [{ type: "text", text }];
  proxy.send({
    type: "cf_agent_chat_messages",
    messages: [
      { id: "q1", role: "user", parts: parts("one"), metadata: { supersededBy: "q2" } },
      { id: "q2", role: "user", parts: parts("two and three"), metadata: { merged: ["q3"] } },
      { id: "a", role: "assistant", parts: parts("answered") },
      { id: "q4", role: "user", parts: parts("four") },
    ],
  });
  await expect(chat.questions).toHaveText([
    "oneOvertaken by a later messageEdit",
    "two and threeMade of 2 messagesEdit",
    "fourEdit",
  ]);
  await faultless(page);
});
