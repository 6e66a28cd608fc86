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

  // A token in the fragment or in the query is taken, and leaves the address. A reload keeps it.
  for (const entry of ["#token=", "&token="]) {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto("about:blank");
    await page.goto(chat.url + entry + tokenFor(600));
    await expect(chat.connection).toHaveText("Connected");
    expect(page.url()).toBe(chat.url);
    await page.reload();
    await expect(chat.connection).toHaveText("Connected");
    expect(page.url()).toBe(chat.url);
  }

  // This page is open when its token expires.
  await page.goto("about:blank");
  await page.goto(`${chat.url}#token=${tokenFor(8)}`);
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
  expect(page.url()).toBe(chat.url);
  await page.reload();
  await expect(chat.connection).toHaveText("Connected");
});
