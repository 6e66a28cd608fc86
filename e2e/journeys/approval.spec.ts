// A helper asks before it reads a hidden file. A person answers at its panel, or in its own conversation.
import { expect, test } from "./fixture";

const wish = "Plan the deployment with config/.env";

test("a helper waits for approval through a reload, and goes on when a person approves at its panel", async ({
  chat,
  page,
}) => {
  await chat.say(wish);
  const helper = page.getByRole("region", { name: /^Helper Plan/ });
  await expect(helper.getByRole("status").first()).toHaveText("waiting for approval");
  await page.reload();
  await expect(helper.getByRole("status").first()).toHaveText("waiting for approval");
  await helper.getByRole("button", { name: "Approve" }).click();
  await expect(helper.getByRole("status").first()).toHaveText("completed");
  await expect(helper).toContainText("config/.env is a simulated file");
  await expect(helper.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expect(chat.stop).toBeHidden();
  await expect(chat.answers).toHaveCount(1);
});

test("a person denies a call, and the helper goes on", async ({ chat, page }) => {
  await chat.say(wish);
  const helper = page.getByRole("region", { name: /^Helper Plan/ });
  await helper.getByRole("button", { name: "Deny" }).click();
  await expect(helper.getByRole("status").first()).toHaveText("completed");
  await expect(helper).toContainText("a person has denied this call");
  await expect(chat.stop).toBeHidden();
});

test("approval is given in the helper's own conversation", async ({ chat, page }) => {
  await chat.say(wish);
  const helper = page.getByRole("region", { name: /^Helper Plan/ });
  await helper.getByRole("button", { name: "Open" }).click();
  const dialog = page.getByRole("dialog", { name: /^Helper Plan/ });
  await dialog.getByRole("button", { name: "Approve" }).click();
  await expect(dialog.getByRole("article", { name: "Assistant" })).toHaveCount(2);
  await expect(dialog.getByRole("button", { name: "Stop helper" })).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(helper.getByRole("status").first()).toHaveText("completed");
  await expect(chat.stop).toBeHidden();
});

test("a run that waits is opened and approved in the bar at the top", async ({ chat, page }) => {
  await chat.say(wish);
  const bar = page.getByRole("region", { name: "Waiting for approval" });
  await expect(bar).toContainText("Plan asks: may inspect_file be used on “config/.env”?");
  await bar.getByRole("button", { name: "Look" }).click();
  await expect(chat.side.dialog.getByRole("button", { name: "Approve" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.side.dialog).toBeHidden();
  await bar.getByRole("button", { name: "Approve" }).click();
  await expect(bar).toBeHidden();
  await expect(chat.helpers.getByRole("status").first()).toHaveText("completed");
  await expect(chat.helpers).toContainText("config/.env is a simulated file");
});

test("stop withdraws a helper's question", async ({ chat, page }) => {
  await chat.say(wish);
  const helper = page.getByRole("region", { name: /^Helper Plan/ });
  await expect(helper.getByRole("button", { name: "Approve" })).toBeVisible();
  await chat.stop.click();
  await expect(helper.getByRole("status").first()).toHaveText("aborted");
  const calls = [
    page.getByRole("group", { name: "Tool plan" }),
    helper.getByRole("group", { name: "Tool inspect_file" }),
  ];
  for (const call of calls) await expect(call.locator("summary").first()).toHaveText(/stopped$/);
  await expect(helper.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expect(chat.stop).toBeHidden();
});
