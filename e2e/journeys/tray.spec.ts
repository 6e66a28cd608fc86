// A helper in the background, as the tray shows it.

import { endless } from "../patience";
import { type Chat, expect, test } from "./fixture";
import { SocketProxy } from "./socketproxy";

test("a background run is shown, cancelled and removed", async ({ chat, page }) => {
  await chat.say(`tool=background ${endless}`);
  const tray = page.getByRole("region", { name: "Background helpers" });
  const run = tray.getByRole("region", { name: /^Helper Research/ });
  await expect(run.getByRole("status")).toHaveText("running");
  await expect(chat.stop).toBeHidden();
  await run.getByRole("button", { name: "Cancel" }).click();
  await expect(run.getByRole("status")).toHaveText("aborted");
  await expect(run).toContainText("the run was cancelled");
  await expect(run).toContainText(/Time taken: \d+ s/);
  await page.reload();
  await expect(run.getByRole("status")).toHaveText("aborted");
  await run.getByRole("button", { name: "Remove" }).click();
  await expect(tray).toBeHidden();
  await page.reload();
  await expect(chat.questions).toHaveCount(1);
  await expect(tray).toBeHidden();
});

test("a run that one tab has removed or cleared can be removed in the other tab, and a clear there removes it too", async ({
  chat,
  context,
}) => {
  const other = chat.in(await context.newPage());
  // The other tab is not told of the removal.
  const proxy = await SocketProxy.of(other.page);
  proxy.answers(({ type, id, method }) =>
    method === "runs" ? [{ type, id, success: false, error: "not now" }] : undefined,
  );
  await other.page.goto(chat.url);
  await expect(other.connection).toHaveText("Connected");
  const run = ({ page }: Chat) => page.getByRole("region", { name: /^Helper Research/ });
  const tray = ({ page }: Chat) => page.getByRole("region", { name: "Background helpers" });
  await chat.say(`tool=background ${endless}`);
  await run(chat).getByRole("button", { name: "Cancel" }).click();
  await expect(run(other).getByRole("status")).toHaveText("aborted");
  await run(chat).getByRole("button", { name: "Remove" }).click();
  await expect(tray(chat)).toBeHidden();
  await run(other).getByRole("button", { name: "Remove" }).click();
  await expect(tray(other)).toBeHidden();

  await expect(chat.stop).toBeHidden();
  await chat.say(`tool=background ${endless}`);
  await expect(run(other).getByRole("status")).toHaveText("running");
  await expect(chat.stop).toBeHidden();
  await chat.clear();
  for (const tab of [chat, other]) {
    await expect(tab.questions).toHaveCount(0);
    await expect(tray(tab)).toBeHidden();
  }
});

test("runs that the tray does not show do not make the page longer", async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const count of [1, 2]) {
    await chat.say(`tool=background ${endless}`);
    await expect(page.getByRole("listitem").getByRole("region", { name: /^Helper Research/ })).toHaveCount(count);
    await expect(chat.stop).toBeHidden();
  }
  const first = page.getByRole("region", { name: /^Helper Research/ }).first();
  await first.getByRole("button", { name: "Details" }).click();
  await expect(first).toContainText("c30 ");
  const below = () => {
    const end = document.querySelector("footer")?.getBoundingClientRect().bottom ?? 0;
    return Math.round(document.documentElement.scrollHeight - scrollY - end);
  };
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => page.evaluate(below)).toBe(0);
});
