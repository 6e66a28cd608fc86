// The OpenAI-compatible provider against a third-party mock over HTTP.
import { LLMock } from "@copilotkit/aimock";
import { test as base, expect } from "./fixture";

const key = "sk-never-shown";
const test = base.extend<object, { mock: LLMock }>({
  mock: [
    async ({ browser: _ }, use) => {
      const mock = new LLMock({ port: 0, host: "127.0.0.1" });
      mock.onMessage("stream", { content: "The mock says **hello** in several pieces." }, { chunkSize: 5 });
      const whole = "This answer comes to its end, though not at once.";
      mock.onMessage("please break", { content: whole }, { chunkSize: 5, latency: 50, truncateAfterChunks: 4 });
      mock.onMessage("broke off", ({ messages }) => {
        const said = messages.findLast(({ role }) => role === "assistant")?.content;
        return { content: whole.slice(typeof said === "string" ? said.length : 0) };
      });
      mock.on(
        { userMessage: "busy", sequenceIndex: 0 },
        { error: { message: "slow down" }, status: 429, retryAfter: 1 },
      );
      mock.on({ userMessage: "busy", sequenceIndex: 1 }, { content: "Now there is time for you." });
      mock.onMessage("exhausted", { error: { message: "quota used up" }, status: 429, retryAfter: 3600 });
      await mock.start();
      await use(mock);
      await mock.stop();
    },
    { scope: "worker" },
  ],
  vars: [
    ({ mock }, use) =>
      use({
        MODEL_PROVIDER: "openai",
        MODEL_BASE_URL: `${mock.url}/v1`,
        MODEL_NAME: "gpt-4.1-mini",
        MODEL_API_KEY: key,
      }),
    { scope: "worker" },
  ],
});

test("a streamed answer is rendered, and its key goes to the provider alone", async ({ chat, mock, page, server }) => {
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
  await page.reload();
  await expect(chat.connection).toHaveText("Connected");
  await chat.say("please stream");
  await expect(chat.answers.first()).toContainText("The mock says hello in several pieces.");
  await expect(chat.answers.first().locator("strong, [data-streamdown=strong]")).toHaveText("hello");
  const [request] = mock.getRequests();
  expect(request?.body).toMatchObject({ model: "gpt-4.1-mini", stream: true });
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.join()).not.toContain(key);
  expect(server.log()).not.toContain(key);
});

test("a stream that breaks off is taken up behind its part", async ({ chat, page }) => {
  await chat.say("please break");
  const answer = [/^This answer comes to its end, though not at once\.(?!.*This answer)/];
  await expect(chat.answers).toHaveText(answer);
  await expect(chat.stop).toBeHidden();
  await expect(page.getByRole("alert")).toBeHidden();
  await page.reload();
  await expect(chat.answers).toHaveText(answer);
});

test("a rate limit is waited out without a word", async ({ chat }) => {
  await chat.say("are you busy");
  await expect(chat.answers.first()).toContainText("Now there is time for you.");
});

test("a rate limit beyond patience is said at once", async ({ chat, page }) => {
  await chat.say("exhausted");
  await expect(page.getByRole("alert")).toContainText("quota used up");
});
