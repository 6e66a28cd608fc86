// The page of a project: it says what the server tells it of the agents that people can talk to.
import { type Root, tell } from "./about";
import { faultless } from "./axe";
import { Chat, expect, fresh, type Page, test } from "./fixture";

const guide: Root = {
  agent: "assistant",
  title: "Harbour guide",
  description: "Knows every berth between here and the lighthouse.",
  suggestions: ["Where may I moor tonight?", "Count to three chunks=3"],
};
/** An agent that the Worker of these journeys does not have. */
const clerk: Root = { agent: "customs-clerk", title: "Customs clerk" };

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const list = (page: Page) => page.getByRole("navigation", { name: "Conversations" });
const nameIn = (page: Page) => new URL(page.url()).searchParams.get("c") ?? "";

test("a project's page has its agent's title, description and suggestions, and asks for them once", async ({
  page,
  server,
}) => {
  const told = await tell(page, [guide]);
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(chat.connection).toHaveText("Connected");
  await expect(page).toHaveTitle("Harbour guide");
  await expect(heading(page)).toHaveText("Harbour guide");
  await expect(page.getByText("Knows every berth between here and the lighthouse.")).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Sidebar" })).toContainText("Harbour guide");
  await expect(page.getByText("Tributary")).toHaveCount(0);
  await expect(page.getByRole("combobox")).toHaveCount(0);
  await faultless(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await faultless(page);

  await page.getByRole("button", { name: "Count to three chunks=3" }).click();
  await expect(chat.answers).toContainText("c2 ");
  await expect(page).toHaveTitle("Count to three chunks=3 · Harbour guide");
  expect(told.times).toBe(1);
});

test("an agent with a title alone has a page too", async ({ page, server }) => {
  await tell(page, [{ agent: "assistant", title: "Assistant" }]);
  await page.goto(fresh(server));
  await expect(heading(page)).toHaveText("Assistant");
  await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
  await faultless(page);
});

test("of several agents one is chosen for a new conversation, and the address and the list keep it", async ({
  page,
  server,
}) => {
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  await tell(page, [clerk, guide]);
  // A list from before there were several.
  const earlier = [{ name: "calm-brook-4k7m2p", title: "about duties", at: 1 }];
  await page.addInitScript((entries) => {
    if (!localStorage.length) localStorage.setItem("tributary-conversations", entries);
  }, JSON.stringify(earlier));
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url);
  await expect(heading(page)).toHaveText("Customs clerk");
  await expect.poll(() => sockets).toContain(`/agents/customs-clerk/${nameIn(page)}`);

  await list(page).getByLabel("with").selectOption("Harbour guide");
  await faultless(page);
  await list(page).getByRole("button", { name: "New chat" }).click();
  await expect(heading(page)).toHaveText("Harbour guide");
  await expect(chat.connection).toHaveText("Connected");
  const name = nameIn(page);
  expect(new URL(page.url()).searchParams.get("agent")).toBe("assistant");
  expect(sockets).toContain(`/agents/assistant/${name}`);
  await expect(list(page).getByLabel("with")).toHaveValue("assistant");
  await chat.say("about berths chunks=1");
  await expect(chat.answers).toContainText("c0 ");
  const entries = list(page).getByRole("listitem");
  await expect(entries).toHaveText(["about berths chunks=1Harbour guide", "about dutiesCustoms clerk"]);
  await faultless(page);

  await page.reload();
  await expect(chat.questions).toHaveText(["about berths chunks=1Edit"]);
  await list(page)
    .getByRole("button", { name: /^about duties/ })
    .click();
  await expect(heading(page)).toHaveText("Customs clerk");
  await expect.poll(() => sockets).toContain("/agents/customs-clerk/calm-brook-4k7m2p");
  expect(new URL(page.url()).searchParams.has("agent")).toBe(false);
  await page.goBack();
  await expect(chat.questions).toHaveText(["about berths chunks=1Edit"]);

  await page.goto(`${server.url}/inspect/assistant/${name}`);
  await expect(page.getByRole("group", { name: "Rows of turn" })).toBeVisible();
  await page.getByRole("link", { name: "Conversation", exact: true }).click();
  await expect(chat.questions).toHaveText(["about berths chunks=1Edit"]);
});

test("an address of an agent that is not there says so, and offers another conversation", async ({ page, server }) => {
  await tell(page, [guide]);
  const chat = new Chat(page, `${fresh(server)}&agent=gone`);
  await page.goto(chat.url);
  await expect(page.getByRole("alert")).toContainText("There is no agent “gone” here.");
  await faultless(page);
  await page.getByRole("alert").getByRole("button", { name: "New chat" }).click();
  await expect(chat.connection).toHaveText("Connected");
  await expect(heading(page)).toHaveText("Harbour guide");
});

test("a page that is not told of any agent says so, keeps its address and list, and asks again", async ({
  chat,
  page,
}) => {
  await chat.say("about buoys chunks=1");
  await expect(chat.answers).toContainText("c0 ");
  const answers = [
    { answer: { status: 200, contentType: "text/html", body: "<!doctype html>" }, reason: "may be older" },
    { answer: { status: 503, body: "" }, reason: "503" },
    { answer: { json: { roots: [] } }, reason: "no agent" },
  ];
  const left = answers.map(({ answer }) => answer);
  await page.route("**/tributary.json", (route) => {
    const answer = left.shift();
    return answer ? route.fulfill(answer) : route.fallback();
  });
  await page.reload();
  const alert = page.getByRole("alert");
  for (const { reason } of answers) {
    await expect(alert).toContainText("The server did not say which agent is here.");
    await expect(alert).toContainText(reason);
    await expect(list(page).getByRole("listitem")).toHaveText(["about buoys chunks=1"]);
    if (reason === "503") await faultless(page);
    await alert.getByRole("button", { name: "Try again" }).click();
  }
  await expect(chat.questions).toHaveText(["about buoys chunks=1Edit"]);
  await expect(chat.connection).toHaveText("Connected");
});

test("a page whose question is not answered for long says so, and goes on as soon as it is", async ({
  page,
  server,
}) => {
  await page.clock.install();
  let release = () => {};
  await page.route("**/tributary.json", (route) => {
    release = () => void route.fulfill({ json: { roots: [guide] } });
  });
  await page.goto(fresh(server), { waitUntil: "commit" });
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Connecting");
  await page.clock.fastForward("00:10");
  await expect(page.getByRole("alert")).toContainText("It has not answered yet.");
  release();
  await expect(heading(page)).toHaveText("Harbour guide");
});

test("while the answer is awaited the page stands as it does afterwards", async ({ page, server }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/tributary.json", async (route) => {
    await held;
    await route.fulfill({ json: { roots: [guide] } });
  });
  const chat = new Chat(page, fresh(server));
  await page.goto(chat.url, { waitUntil: "commit" });
  await expect(chat.connection).toHaveText("Connecting");
  const standing = [chat.connection.locator("span").first(), list(page).getByRole("button", { name: "New chat" })];
  const boxes = () => Promise.all(standing.map((shown) => shown.evaluate((at) => at.getBoundingClientRect().y)));
  const before = await boxes();
  release();
  await expect(heading(page)).toHaveText("Harbour guide");
  await expect(chat.connection).toHaveText("Connected");
  expect(await boxes()).toEqual(before);
});
