// The inspector, in the way in which an engineer opens it beside a conversation.

import { endless } from "../patience";
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

  await chat.say(`tool=research ${endless}`);
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

test("the inspector shows what a turn with two helpers has cost, for each of them", async ({ chat, context }) => {
  const page = await context.newPage();
  await page.goto(chat.url.replace("/?c=", "/inspect/assistant/"));
  const rows = page.getByRole("group", { name: "Cost of each object" }).getByRole("row");
  // The heads, the agent, and the sums.
  await expect(rows).toHaveCount(3);

  await chat.say("Compare HTTP/3 and gRPC");
  await expect(chat.regenerate).toBeVisible();
  await expect(rows).toHaveCount(5);
  const columns = await rows.first().getByRole("columnheader").allTextContents();
  expect(columns.slice(1)).toEqual([
    ...["Statements", "Rows read", "Rows written", "Bytes down", "Bytes up"],
    ...["Model calls", "Tokens in", "Tokens out", "Woke at"],
  ]);
  // All clients are the agent's: a helper sends bytes to none.
  for (const [at, name] of ["Assistant", "Researcher helper-1", "Researcher helper-2"].entries()) {
    const row = rows.nth(1 + at);
    await expect(row.getByRole("rowheader")).toHaveText(name);
    const cells = row.getByRole("cell");
    for (const n of [0, 1, 2, 5, 6, 7]) await expect(cells.nth(n)).toHaveText(/^[1-9][\d,]*$/);
    for (const n of [3, 4]) await expect(cells.nth(n)).toHaveText(at === 0 ? /^[1-9][\d.]* k?B$/ : "0 B");
    await expect(cells.nth(8)).toHaveText(/\d\d:\d\d:\d\d\.\d{3}$/);
  }

  await rows.nth(3).getByRole("link").click();
  await expect(page.getByRole("heading", { name: /^Researcher \/ call_/ })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1).getByRole("cell").first()).toHaveText(/^[1-9][\d,]*$/);
});

test("the inspector says in sections what waits for a person, what was done, and how far a report is", async ({
  chat,
  context,
}) => {
  const page = await context.newPage();
  await page.goto(chat.url.replace("/?c=", "/inspect/assistant/"));
  const rows = (section: string) => page.getByRole("group", { name: section, exact: true }).getByRole("row");
  await expect(page.getByRole("group", { name: "Cost of each object" })).toBeVisible();
  for (const section of ["Open approvals", "Open questions", "Steps of code", "Control of runs", "Ledger of actions"])
    await expect(rows(section)).toHaveCount(0);

  await chat.say("act: pay 1200 to Ada");
  await expect(rows("Open approvals").last()).toContainText(/pay.*Pay 1200 € to Ada.*high/);
  const bar = chat.page.getByRole("region", { name: "Waiting for approval" });
  await bar.getByRole("button", { name: "Approve" }).click();
  await expect(rows("Ledger of actions").last()).toContainText(/pay.*pay:1200:Ada.*done/);
  await expect(rows("Open approvals")).toHaveCount(0);

  await expect(chat.stop).toBeHidden();
  await chat.say("workflow: report 1 on tea");
  await expect(rows("Open questions").last()).toContainText("Who is the report for?");
  const run = await rows("Open questions").last().getByRole("cell").nth(1).textContent();
  await chat.page.getByRole("button", { name: "Pause" }).click();
  await expect(rows("Control of runs").last()).toContainText("paused");

  await page.goto(`${page.url()}?run=Reporter/${run}`);
  await expect(page.getByRole("heading", { name: `Reporter / ${run}` })).toBeVisible();
  await expect(rows("Steps of code").last()).toContainText(/section 1.*completed.*1 of 5/);
  await expect(rows("Open questions").last()).toContainText("Who is the report for?");
});
