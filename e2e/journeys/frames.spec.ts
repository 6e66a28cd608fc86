// What a page shows of frames that the demo model never causes.
import { Chat, expect, fresh, test } from "./fixture";
import { type Frame, SocketProxy } from "./socketproxy";

const chunk = (body: object) => ({
  type: "cf_agent_use_chat_response",
  id: "R",
  body: JSON.stringify(body),
  done: false,
});

test("a model's reasoning is open while it thinks, and collapsed when it answers", async ({ page, server }) => {
  const proxy = await SocketProxy.of(page);
  // The test answers these frames in the server's place: the server would say that nothing is active.
  proxy.answers(({ type }) => (type === "cf_agent_stream_resume_request" ? [] : undefined));
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  proxy.send(chunk({ type: "start", messageId: "m1" }));
  proxy.send(chunk({ type: "reasoning-start", id: "r" }));
  proxy.send(chunk({ type: "reasoning-delta", id: "r", delta: "Let me see." }));
  await expect(chat.answers.getByText("Let me see.")).toBeVisible();
  proxy.send(chunk({ type: "reasoning-end", id: "r" }));
  proxy.send(chunk({ type: "text-start", id: "t" }));
  proxy.send(chunk({ type: "text-delta", id: "t", delta: "There it is." }));
  await expect(chat.answers.getByText("There it is.")).toBeVisible();
  await expect(chat.answers.getByText("Let me see.")).toBeHidden();
  await chat.answers.getByText("Thought").click();
  await expect(chat.answers.getByText("Let me see.")).toBeVisible();
});

test("a background run shows its progress, its milestones and its outcome", async ({ page, server }) => {
  const proxy = await SocketProxy.of(page);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  proxy.answers(({ type, id, method }: Frame) =>
    method === "runs"
      ? [{ type, id, success: true, done: true, result: [{ runId: "b", elapsed: 90_000 }] }]
      : undefined,
  );
  let sequence = 0;
  const tell = (event: object) =>
    proxy.send({ type: "agent-tool-event", sequence: sequence++, event: { runId: "b", ...event } });
  const body = (body: object) => tell({ kind: "chunk", body: JSON.stringify(body) });

  tell({ kind: "started", agentType: "Researcher", order: 0, inputPreview: "otters", display: { name: "Research" } });
  const tray = page.getByRole("region", { name: "Background helpers" });
  const run = tray.getByRole("region", { name: "Helper Research: otters" });
  await expect(tray.getByRole("button", { name: /In the background/ })).toContainText("1 running");
  await expect(run).toContainText(/Time taken: \d+ min \d+ s/); // the server's time, and the seconds since its answer
  const progress = (fraction: number) =>
    body({
      type: "data-agent-progress",
      id: `${fraction}`,
      transient: true,
      data: { fraction, phase: "reading", message: "page 2" },
    });
  progress(0.4);
  await expect(run.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "40 %, reading: page 2");
  progress(0.9);
  await expect(run.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "90");
  body({ type: "data-agent-milestone", data: { name: "read", sequence: 0, at: 1 } });
  await expect(run.getByRole("list", { name: "Milestones" })).toHaveText("read");
  tell({ kind: "interrupted", error: "it went over its budget", reason: "budget-exceeded" });
  await expect(run.getByRole("status")).toHaveText("interrupted");
  await expect(run).toContainText("it went over its budget");
  await expect(run).toContainText("Ask for less at once");
  tell({ kind: "finished", summary: "They **swim**." });
  await expect(run.getByRole("status")).toHaveText("completed");
  await run.getByRole("button", { name: "Details" }).click();
  await expect(run).toContainText("They swim.");
});

test("a question that the server refuses returns to the composer, and no retry is offered", async ({
  page,
  server,
}) => {
  const proxy = await SocketProxy.of(page);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  await chat.say("first chunks=1");
  await expect(chat.regenerate).toBeVisible();
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.md",
    mimeType: "text/markdown",
    buffer: Buffer.from("otters hold hands"),
  });
  const chips = page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
  await expect(chips).toHaveText(["notes.md"]);
  const response = { type: "cf_agent_use_chat_response", body: "message 1: it is too long", done: true, error: true };
  proxy.answers(({ type, id }) =>
    type === "cf_agent_use_chat_request"
      ? [
          { type: "cf_agent_chat_messages", messages: [] },
          { ...response, id },
        ]
      : undefined,
  );
  await chat.say("second");
  const alert = page.getByRole("alert").filter({ hasText: "The message was not taken" });
  await expect(alert).toContainText("it is too long");
  await expect(alert.getByRole("button")).toHaveAccessibleName("Dismiss");
  await expect(chat.composer).toHaveValue("second");
  await expect(chips).toHaveText(["notes.md"]);
  await alert.getByRole("button", { name: "Dismiss" }).click();
  await expect(alert).toBeHidden();
  await expect(chat.composer).toHaveValue("second");
  proxy.answers(() => undefined);
  await chat.composer.press("Enter");
  await expect(chat.answers.last()).toContainText("otters hold hands");
  await expect(chips).toHaveCount(0);
});
