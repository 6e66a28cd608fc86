// What a person sees of a faulty connection: a word, a reason, and an end to every wait.
import { Chat, expect, fresh, test } from "./fixture";
import { SocketProxy } from "./socketproxy";

test("a lost connection is shown, and the answer goes on after the reconnect", async ({ page, server }) => {
  const proxy = await SocketProxy.of(page);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  await chat.say("a long one chunks=120 delay=40");
  await expect(chat.answers).toContainText("c3 ");

  proxy.hold();
  const attempt = proxy.attempt();
  await proxy.cut("Closed: a setting is missing");
  await expect(chat.connection).toHaveText("Reconnecting");
  const note = page.getByRole("status").filter({ hasText: "The connection was lost" });
  await attempt;
  await expect(note).toContainText("Closed: a setting is missing");
  proxy.release();
  await note.getByRole("button", { name: "Try now" }).click();
  await expect(chat.connection).toHaveText("Connected");
  await expect(note).toBeHidden();
  await expect(chat.answers).toContainText("c119 ");
  await expect(chat.stop).toBeHidden();
  expect((await chat.answers.textContent())?.match(/c\d+ /g)).toHaveLength(120);
});

test("no wait is endless when the server does not answer", async ({ page, server }) => {
  await page.clock.install();
  const proxy = await SocketProxy.of(page);
  proxy.hold();
  await page.route("**/get-messages*", () => undefined);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connecting");
  await page.clock.fastForward("00:10");
  await expect(page.getByRole("heading", { name: "Many streams" })).toBeVisible();
  const note = page.getByRole("status").filter({ hasText: "The server has not answered yet" });
  await page.clock.fastForward("00:10");
  await expect(note).toBeVisible();
  proxy.release();
  await note.getByRole("button", { name: "Try now" }).click();
  await page.clock.fastForward("00:01");
  await expect(chat.connection).toHaveText("Connected");
  await expect(note).toBeHidden();
});

test("a recovery and its end are shown", async ({ page, server }) => {
  const proxy = await SocketProxy.of(page);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  const recovering = (recovering: boolean) => proxy.send({ type: "cf_agent_chat_recovering", recovering, id: "R" });
  recovering(true);
  await expect(chat.connection).toHaveText("Recovering");
  await expect(page.getByRole("status").filter({ hasText: "The answer broke off" })).toBeVisible();
  await expect(chat.stop).toBeVisible();
  recovering(false);
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.stop).toBeHidden();
});

test("a page that is offline says so, and a question that was asked meanwhile is answered afterwards", async ({
  chat,
  context,
  page,
}) => {
  await context.setOffline(true);
  await expect(chat.connection).toHaveText("Offline");
  await expect(page.getByRole("status").filter({ hasText: "You are offline" })).toBeVisible();
  await chat.say("meanwhile chunks=2");
  await context.setOffline(false);
  await expect(chat.connection).toHaveText("Connected");
  await expect(chat.answers).toContainText("c1 ");
  await expect(chat.questions).toHaveCount(1);
});
