// The inspector, in the way in which an engineer opens it beside a conversation.
import { expect, test } from "./fixture";

test("the inspector shows the storage of an agent while it changes, and the storage of its helper", async ({
  chat,
  context,
}) => {
  const page = await context.newPage();
  const name = new URL(chat.url).searchParams.get("c") ?? "";
  await page.goto(chat.url.replace(`/?c=${name}`, `/inspect/assistant/${name}`));
  await expect(page.getByRole("heading", { name: `Assistant / ${name}` })).toBeVisible();
  const rows = (table: string) => page.getByRole("group", { name: `Rows of ${table}` }).getByRole("row");
  await expect(rows("setting").first()).toBeVisible(); // the storage has been read
  await expect(rows("turn")).toHaveCount(0);

  await chat.say("tool=research chunks=1000 delay=100");
  await expect(rows("turn")).toHaveCount(2);
  await expect(rows("turn").last()).toContainText("running");
  await expect(rows("step")).toHaveCount(2);
  await expect(rows("await").last()).toContainText("Researcher");
  await expect(rows("schedule").first()).toBeVisible();
  const run = (await chat.helpers.first().getAttribute("aria-label")) ?? "";
  expect(run).toContain("Research");
  await chat.stop.click();
  await expect(rows("turn").last()).toContainText("aborted");
  await expect(rows("run").last()).toContainText("aborted");
  await expect(rows("step")).toHaveCount(0);

  const id = await rows("run").last().getByRole("cell").nth(1).textContent();
  await page.goto(`${page.url()}?run=Researcher/${id}`);
  await expect(page.getByRole("heading", { name: `Researcher / ${id}` })).toBeVisible();
  await expect(rows("task")).toHaveCount(2);
});
