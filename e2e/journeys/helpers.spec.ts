import { expect, test } from "./fixture";

test("two helpers stream under one tool call, survive a reload in the middle, and can be opened", async ({
  chat,
  page,
}) => {
  await chat.say("tool=compare chunks=150 delay=20");
  const helpers = page.getByRole("region", { name: /^Helper Research/ });
  await expect(helpers).toHaveCount(2);
  await expect(helpers.first()).toContainText("c3 ");
  await expect(helpers.last()).toContainText("c3 ");
  await page.reload();
  await expect(helpers).toHaveCount(2);
  for (const helper of [helpers.first(), helpers.last()]) {
    await expect(helper.getByRole("status")).toHaveText("completed");
    expect((await helper.textContent())?.match(/c\d+ /g)).toHaveLength(150);
  }
  await expect(chat.stop).toBeHidden();

  await helpers.first().getByRole("button", { name: "Open" }).click();
  const dialog = page.getByRole("dialog", { name: /^Helper Research/ });
  await expect(dialog.getByRole("log")).toContainText("c149 ");
  await dialog.getByRole("textbox", { name: "Message to helper" }).fill("and then chunks=2");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("article", { name: "Assistant" })).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("stop reaches the helpers", async ({ chat, page }) => {
  await chat.say("tool=research chunks=2000 delay=20");
  const helper = page.getByRole("region", { name: /^Helper Research/ });
  await expect(helper).toContainText("c3 ");
  await chat.stop.click();
  await expect(helper.getByRole("status")).toHaveText("aborted");
  await expect(chat.stop).toBeHidden();
});

test("a helper that does not exist is refused with a reason", async ({ chat, page }) => {
  await page.goto(`${chat.url}&run=Researcher/nobody`);
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("404");
});
