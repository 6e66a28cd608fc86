// A page whose token expires, or that has none, asks for another one, and keeps what was typed.
import { deployed, tokenFor } from "../token";
import { Chat, expect, fresh, test } from "./fixture";

test.use({ vars: deployed });

test("the page asks for a token when there is none or it has expired, and keeps what was typed", async ({
  page,
  server,
}) => {
  const chat = new Chat(page, fresh(server));
  const renew = async (token: string) => {
    await page.getByLabel("New token").fill(token);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
  };
  await page.goto(chat.url);
  await expect(page.getByRole("alert").filter({ hasText: "a token is required" })).toBeVisible();
  await chat.composer.fill("Hello");
  await renew(tokenFor(600));
  await expect(chat.connection).toHaveText("Connected");
  await expect(page.getByLabel("New token")).toHaveCount(0);
  await expect(chat.composer).toHaveValue("Hello");
  await chat.composer.press("Enter");
  await expect(chat.regenerate).toBeVisible();

  // This page is open when its token expires.
  const short = new URL(page.url());
  short.searchParams.set("token", tokenFor(8));
  await page.goto(short.href);
  await chat.composer.fill("and one more thing");
  await expect(page.getByRole("alert").filter({ hasText: "the token has expired" })).toBeVisible();
  await expect(chat.questions).toHaveText(["HelloEdit"]);
  const fine = tokenFor(600);
  await renew(fine);
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.composer).toHaveValue("and one more thing");
  await chat.composer.press("Enter");
  await expect(chat.questions).toHaveText(["HelloEdit", "and one more thingEdit"]);
  await expect(chat.regenerate).toBeVisible();
  expect(new URL(page.url()).searchParams.get("token")).toBe(fine);
});
