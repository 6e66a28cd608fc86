// What a person does besides asking: opens an earlier conversation, attaches files, copies, and scrolls back.
import { expect, test } from "./fixture";

test("several conversations are listed, found again after a reload, and removed from the list", async ({
  chat,
  page,
}) => {
  const list = page.getByRole("navigation", { name: "Conversations" });
  const entries = list.getByRole("listitem");
  await chat.say("about otters chunks=2");
  await expect(chat.answers).toContainText("c1 ");
  await expect(entries).toHaveText(["about otters chunks=2"]);
  await list.getByRole("button", { name: "New chat" }).click();
  await expect(page.getByRole("heading", { name: "Many streams" })).toBeVisible();
  await expect(chat.connection).toHaveText("Connected");
  await chat.say("about seals chunks=1");
  await expect(chat.answers).toContainText("c0 ");
  await expect(entries).toHaveText(["about seals chunks=1", "about otters chunks=2"]);

  await page.reload();
  await list.getByRole("button", { name: "about otters chunks=2", exact: true }).click();
  await expect(chat.questions).toHaveText(["about otters chunks=2Edit"]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("about otters chunks=2");
  await page.goBack();
  await expect(chat.questions).toHaveText(["about seals chunks=1Edit"]);
  await entries.last().hover();
  await list.getByRole("button", { name: /Take “about otters/ }).click();
  await expect(entries).toHaveText(["about seals chunks=1"]);
});

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("an image and a text file are sent with a message, and stay when it is edited", async ({ chat, page }) => {
  await page.locator("input[type=file]").setInputFiles([
    { name: "dot.png", mimeType: "image/png", buffer: dot },
    { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("otters hold hands") },
    { name: "rest.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2]) },
  ]);
  const chips = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  await expect(chips).toHaveText(["dot.png", "notes.md"]);
  await expect(page.getByRole("alert")).toHaveText("rest.bin: neither text nor an image");
  await chat.say("look at these");
  await expect(chips).toHaveCount(0);
  const shown = async (text: RegExp) => {
    await expect(chat.questions.getByText(text)).toBeVisible();
    await expect(chat.questions.getByRole("img", { name: "dot.png" })).toBeVisible();
    await expect(chat.questions.getByText("notes.md")).toBeVisible();
  };
  await shown(/^look at these$/);
  await expect(chat.answers).toContainText("otters hold hands");
  await expect(chat.regenerate).toBeVisible();
  await page.reload();
  await shown(/^look at these$/);

  await chat.questions.hover();
  await chat.questions.getByRole("button", { name: "Edit" }).click();
  await chat.questions.getByRole("textbox").fill("once more");
  await chat.questions.getByRole("textbox").press("Enter");
  await expect(chat.answers).toContainText(/once more.*otters hold hands/);
  await expect(chat.regenerate).toBeVisible();
  await page.reload();
  await shown(/^once more$/);
});

test("files are dropped, pasted and removed, and refused if they are too large", async ({ chat, page }) => {
  const chips = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  const alert = page.getByRole("alert");
  await chat.composer.evaluate((field) => {
    const holding = (name: string) => {
      const data = new DataTransfer();
      data.items.add(new File([`it is ${name}`], name, { type: "text/plain" }));
      return data;
    };
    const how = { bubbles: true, cancelable: true };
    field.dispatchEvent(new DragEvent("drop", { ...how, dataTransfer: holding("dropped.txt") }));
    field.dispatchEvent(new ClipboardEvent("paste", { ...how, clipboardData: holding("pasted.txt") }));
  });
  await expect(chips).toHaveCount(2);
  await page.getByRole("button", { name: "Remove dropped.txt" }).click();
  await expect(chips).toHaveText(["pasted.txt"]);
  const large = { name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(200_001, "x") };
  await page.locator("input[type=file]").setInputFiles(large);
  await expect(alert).toHaveText("large.csv: at most 200 kB of text, or an image");
  await expect(chips).toHaveText(["pasted.txt"]);

  // Each of them takes two bytes in JSON.
  const quotes = '"'.repeat(900_000);
  await chat.say(quotes);
  await expect(alert).toHaveText(/^The message is too large: [\d,]+ kB, at most 1,799 kB$/);
  await expect(chat.composer).toHaveValue(quotes);
  await chat.say("and now?");
  await expect(chat.answers).toContainText("it is pasted.txt");
  await expect(chips).toHaveCount(0);
  await expect(alert).toBeHidden();
});

test("an answer is copied as it was written", async ({ chat, context, page }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await chat.say("Show me some Markdown");
  await expect(chat.regenerate).toBeVisible();
  await chat.answers.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(chat.answers.getByText("Copied")).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("## A little of everything");
});

test("a reader who has scrolled up stays there while the answer grows, and returns by a button", async ({
  chat,
  page,
}) => {
  await chat.say("long chunks=100000 delay=50 size=120");
  await expect(chat.answers).toContainText("c30 ");
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, -600);
  const latest = page.getByRole("button", { name: "Latest" });
  await expect(latest).toBeVisible();
  const where = await page.evaluate(() => scrollY);
  const said = ((await chat.answers.textContent())?.match(/c\d+ /g) ?? []).length;
  await expect(chat.answers).toContainText(`c${said + 30} `);
  expect(await page.evaluate(() => scrollY)).toBe(where);
  await latest.click();
  await expect(latest).toBeHidden();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY))
    .toBeLessThan(60);
  await chat.stop.click();
  await expect(chat.stop).toBeHidden();
});
