// A deployment without settings refuses a page without a token, and the page shows why.
import { Chat, expect, test } from "./fixture";

test.use({ vars: { TRIBUTARY_ENV: "production", TRIBUTARY_TOKEN_SECRET: "a secret that nobody has a token of" } });

test("the page and the inspector show the reason of a refusal, and do not connect again", async ({ page, server }) => {
  await page.clock.install();
  const asked: string[] = [];
  page.on("websocket", (socket) => asked.push(socket.url()));
  const chat = new Chat(page, `${server.url}/?c=refused`);
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Refused");
  const alert = page.getByRole("alert").filter({ hasText: "The server refused the connection" });
  await expect(alert).toContainText("Unauthorized");
  await expect(page.getByRole("button", { name: "What can you do?" })).toBeDisabled();
  await page.clock.fastForward("05:00");
  expect(asked).toHaveLength(1);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => asked.length).toBe(2);
  await expect(alert).toContainText("Unauthorized");

  await page.goto(`${server.url}/inspect/assistant/refused`);
  await expect(page.getByRole("alert")).toContainText("Unauthorized");
});
