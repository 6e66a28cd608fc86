// A helper in the background, as the tray has it.
import { expect, test } from "./fixture";

test("a background run is watched, cancelled and taken away", async ({ chat, page }) => {
  await chat.say("tool=background chunks=1000 delay=100");
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
