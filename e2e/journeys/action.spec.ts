// A payment, as a person sees it: explained, approved, listed, undone, and denied with a reason.
import { type Chat, expect, test } from "./fixture";

const wish = "act: pay 120 to Ada";
const bar = (chat: Chat) => chat.page.getByRole("region", { name: "Waiting for approval" });
const list = (chat: Chat) => chat.page.getByRole("dialog", { name: "Actions" });
const entries = (chat: Chat) => list(chat).getByRole("listitem");

async function openList(chat: Chat): Promise<void> {
  await chat.page.getByRole("button", { name: "Actions" }).click();
}

test("a payment is explained, approved from two tabs at once and made once, and undone from the list", async ({
  chat,
  context,
}) => {
  const other = chat.in(await context.newPage());
  await other.page.goto(chat.url);
  await expect(other.connection).toHaveText("Connected");
  await chat.say(wish);
  for (const tab of [chat, other]) {
    await expect(bar(tab)).toContainText("The assistant asks: Pay 120 € to Ada medium risk");
    await expect(bar(tab)).toContainText("The money leaves the account at once.");
  }
  const click = ({ page }: Chat) =>
    page
      .getByRole("region", { name: "Waiting for approval" })
      .getByRole("button", { name: "Approve" })
      .evaluate((button: HTMLButtonElement) => button.click());
  await Promise.all([click(chat), click(other)]);
  for (const tab of [chat, other]) {
    await expect(bar(tab)).toBeHidden();
    await expect(tab.answers.last()).toContainText("simulated-");
    await openList(tab);
    await expect(entries(tab)).toHaveCount(1);
    await expect(entries(tab)).toContainText(/pay.*pay:120:Ada.*done/);
  }
  await entries(chat).getByRole("button", { name: "Undo" }).click();
  await expect(entries(chat)).toContainText(/pay:120:Ada.*undone/);
  await expect(entries(chat).getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("a payment is denied with a reason, which the model is told, and no action is listed", async ({ chat }) => {
  await chat.say(wish);
  await bar(chat).getByRole("button", { name: "Give a reason" }).click();
  await bar(chat).getByRole("textbox", { name: "Reason" }).fill("she is paid already");
  await bar(chat).getByRole("button", { name: "Deny" }).click();
  await expect(bar(chat)).toBeHidden();
  await expect(chat.answers.last()).toContainText("she is paid already");
  await expect(chat.stop).toBeHidden();
  await openList(chat);
  await expect(list(chat)).toContainText("Nothing has been done yet.");
});
