// A workflow, as a person sees it: steps and attempts in the tray, a question, pauses, and a run again from a step.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dev } from "../dev";
import { kill } from "../workerd";
import { Chat, expect, type Locator, test } from "./fixture";

/** The panel of the report that is under way, or of the one whose name begins with a text. */
const report = (chat: Chat) =>
  chat.page.getByRole("region", { name: "Background helpers" }).getByRole("region", { name: /^Helper Report/ });
const word = (run: Locator) => run.getByRole("status").first();
const details = (run: Locator) => run.getByRole("button", { name: "Details" });
const step = (run: Locator, name: string) => run.getByRole("group", { name: `Step ${name}`, exact: true });
const bar = (chat: Chat) => chat.page.getByRole("region", { name: "Waiting for approval" });

/** Waits until the report asks who it is for, and answers in the bar at the top. */
async function answer(chat: Chat, readers: string): Promise<void> {
  await expect(bar(chat)).toContainText("Who is the report for?");
  await bar(chat).getByRole("textbox").fill(readers);
  await bar(chat).getByRole("button", { name: "Answer" }).click();
  await expect(bar(chat)).toBeHidden();
}

test("a report shows its steps and their attempts, asks a person by a form, and is completed", async ({ chat }) => {
  await chat.say("workflow: report 2 on tea");
  const run = report(chat);
  await details(run).click();
  await expect(word(run)).toHaveText("waiting for an answer");
  await expect(run.getByRole("group", { name: "Tool ask" })).toContainText("waiting for an answer");
  await expect(step(run, "section 1")).toContainText("done");
  await expect(step(run, "section 2")).toContainText("done at attempt 2");

  await expect(bar(chat)).toContainText("The 2 sections on tea are written.");
  const readers = bar(chat).getByRole("textbox", { name: "who reads the report" });
  await expect(readers).toHaveValue("everybody");
  await readers.fill("the crew");
  await bar(chat).getByRole("checkbox", { name: "formal in tone" }).check();
  await bar(chat).getByRole("button", { name: "Answer" }).click();
  await expect(bar(chat)).toBeHidden();
  await expect(word(run)).toHaveText("completed");
  await expect(run).toContainText("To the attention of the crew");
  await expect(step(run, "publish")).toContainText("done");
  await expect(chat.answers.last()).toContainText("There is news from the background");
});

test("a report is paused and resumed, and run again from a step: only what comes later is done again", async ({
  chat,
}) => {
  await chat.say("workflow: report 2 on tea");
  const run = report(chat).first();
  await expect(word(run)).toHaveText("running");
  await run.getByRole("button", { name: "Pause" }).click();
  await expect(word(run)).toHaveText("paused");
  await chat.page.reload();
  await expect(word(run)).toHaveText("paused");
  await expect(bar(chat)).toBeHidden();
  await run.getByRole("button", { name: "Resume" }).click();
  await answer(chat, "the crew");
  await expect(word(run)).toHaveText("completed");
  await expect(chat.stop).toBeHidden();

  await run.getByRole("combobox", { name: "From which step" }).selectOption("section 2");
  await run.getByRole("button", { name: "Run again" }).click();
  const again = report(chat).filter({ hasText: "repeats " });
  await expect(again).toHaveCount(1);
  await answer(chat, "the guests");
  await expect(word(again)).toHaveText("completed");
  await details(again).click();
  await expect(again).toContainText("For the guests");
  await expect(step(again, "section 1")).toHaveCount(0);
  await expect(step(again, "section 2")).toContainText("done at attempt 2");
  await expect(step(again, "publish")).toContainText("done");
  await expect(report(chat).filter({ hasText: "repeated by " })).toHaveCount(1);
});

test("a report survives the death of the server, and does each step once", async ({ page }) => {
  const state = await mkdtemp(join(tmpdir(), "tributary-report-"));
  const server = await dev({ state });
  try {
    const chat = new Chat(page, `${server.url}/?c=report`);
    await page.goto(chat.url);
    await chat.say("workflow: report 3 on tea");
    const run = report(chat);
    await details(run).click();
    await expect(step(run, "section 1")).toContainText("done");
    kill(server, state);
    await expect(chat.connection).not.toHaveText("Connected");
    await expect(chat.connection).toHaveText("Connected");
    await answer(chat, "the crew");
    await expect(word(run)).toHaveText("completed");
    for (const name of ["section 1", "section 2", "section 3", "publish"]) {
      await expect(step(run, name)).toHaveCount(1);
      await expect(step(run, name)).toContainText("done");
    }
    await expect(run.getByRole("group", { name: /^Step / })).toHaveCount(4);
  } finally {
    await server.stop();
    await rm(state, { recursive: true, force: true });
  }
});
