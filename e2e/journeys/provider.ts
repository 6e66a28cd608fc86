// The journeys that every provider must pass, against a third-party mock of its API over HTTP.
import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";
import { test as base, expect, type Page } from "./fixture";

export { expect };

export const key = "sk-never-shown";
const whole = "This answer comes to its end, though not at once.";

/** The tests' fixtures with a mock. vars makes the Worker's variables that point to the mock. */
export function withMock(vars: (mock: LLMock) => Record<string, string>) {
  return base.extend<object, { mock: LLMock }>({
    mock: [
      async ({ browser: _ }, use) => {
        const mock = new LLMock({ port: 0, host: "127.0.0.1", strict: true });
        script(mock);
        await mock.start();
        await use(mock);
        await mock.stop();
      },
      { scope: "worker" },
    ],
    vars: [({ mock }, use) => use({ ...vars(mock), MODEL_API_KEY: key }), { scope: "worker" }],
  });
}

/** The answers of the mock. */
function script(mock: LLMock): void {
  mock.onMessage("stream", { content: "The mock says **hello** in several pieces." }, { chunkSize: 5 });
  mock.onMessage("please break", { content: whole }, { chunkSize: 5, latency: 50, truncateAfterChunks: 4 });
  mock.onMessage("broke off", ({ messages }) => {
    const said = messages.findLast(({ role }) => role === "assistant")?.content;
    return { content: whole.slice(typeof said === "string" ? said.length : 0) };
  });
  mock.on({ userMessage: "busy", sequenceIndex: 0 }, { error: { message: "slow down" }, status: 429, retryAfter: 1 });
  mock.on({ userMessage: "busy", sequenceIndex: 1 }, { content: "Now there is time for you." });
  const exhausted = { error: { message: "quota used up" }, status: 429, retryAfter: 3600 };
  mock.on({ userMessage: "exhausted", sequenceIndex: 0 }, exhausted);
  mock.on({ userMessage: "exhausted", sequenceIndex: 1 }, exhausted);
  mock.on({ userMessage: "exhausted", sequenceIndex: 2 }, { content: "There is some quota again." });
  mock.onMessage("dry wells", exhausted);
  mock.onMessage("only think", { reasoning: "There is much to say.", content: "" });
  mock.on({ predicate: fails }, { content: "Nothing came of it." });
  mock.on({ predicate: answers(1) }, { content: "The moon pulls twice a day." });
  mock.on({ predicate: answers(2) }, { content: "Both come from the sky." });
  const research = (query: string) => ({ name: "research", arguments: JSON.stringify({ query }) });
  mock.onMessage("ask about one", { reasoning: "One will do.", toolCalls: [research("tides")] }, { chunkSize: 5 });
  mock.onMessage("ask about two", { reasoning: "Two are needed.", toolCalls: [research("tides"), research("winds")] });
  mock.onMessage("ask in vain", { toolCalls: [research("dry wells")] });
  mock.onMessage("tides", { content: "High and low water." });
  mock.onMessage("winds", { content: "Moving air." });
}

/** Says whether the last messages of a request are the results of so many calls, all of them successful. */
function answers(count: number): (request: ChatCompletionRequest) => boolean {
  return (request) => {
    const results = resultsOf(request);
    return results.length === count && results.every((content) => content.includes('"ok":true'));
  };
}

/** Says whether the last messages of a request include the result of a failed call. */
function fails(request: ChatCompletionRequest): boolean {
  return resultsOf(request).some((content) => content.includes('"ok":false'));
}

/** The results at the end of a request. */
function resultsOf({ messages }: ChatCompletionRequest): string[] {
  const last = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.slice(last + 1).map(({ content }) => String(content));
}

/** Records the page's alerts from now on, and returns a function that returns them. */
async function alerts(page: Page): Promise<() => Promise<string[]>> {
  const noted = await page.evaluateHandle(() => {
    const noted: string[] = [];
    const note = () =>
      noted.push(
        ...[...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent).filter(Boolean),
      );
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    return noted;
  });
  return () => noted.jsonValue();
}

/** Defines the journeys in a spec. */
export function journeys(test: ReturnType<typeof withMock>): void {
  test("a streamed answer is rendered, and its key goes to the provider alone", async ({
    chat,
    mock,
    page,
    server,
  }) => {
    const frames: string[] = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
    await page.reload();
    await expect(chat.connection).toHaveText("Connected");
    await chat.say("please stream");
    await expect(chat.answers.first()).toContainText("The mock says hello in several pieces.");
    await expect(chat.answers.first().locator("strong, [data-streamdown=strong]")).toHaveText("hello");
    const [request] = mock.getRequests();
    expect(request?.body).toMatchObject({ model: "the-model", stream: true });
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

  test("a rate limit is waited out without a word", async ({ chat, page }) => {
    const alarmed = await alerts(page);
    await chat.say("are you busy");
    await expect(chat.answers.first()).toContainText("Now there is time for you.");
    await expect(chat.stop).toBeHidden();
    expect(await alarmed()).toEqual([]);
  });

  test("a rate limit beyond patience is said at once, put away, and tried again by hand", async ({ chat, page }) => {
    const alarmed = await alerts(page);
    const alert = page.getByRole("alert").filter({ hasText: "The answer did not arrive" });
    await chat.say("exhausted");
    await expect(alert).toContainText("quota used up");
    await alert.getByRole("button", { name: "Dismiss" }).click();
    await expect(alert).toBeHidden();
    await expect(chat.questions).toHaveCount(1);
    await chat.say("exhausted");
    await alert.getByRole("button", { name: "Retry" }).click();
    await expect(chat.answers).toHaveText([/There is some quota again\./]);
    await expect(alert).toBeHidden();
    await expect(chat.questions).toHaveCount(2);
    expect(await alarmed()).not.toEqual([]);
  });

  test("a thought without an answer says that there is none, also when people go on", async ({ chat, page }) => {
    const why = "the model gave no answer, only a thought";
    await chat.say("only think");
    await expect(page.getByRole("alert")).toContainText(why);
    await chat.say("please stream");
    await expect(chat.answers.last()).toContainText("The mock says hello in several pieces.");
    await expect(page.getByRole("alert")).toBeHidden();
    await expect(chat.answers.first()).toContainText(why);
    await page.reload();
    await expect(chat.answers.first()).toContainText(why);
    await expect(chat.answers.last()).not.toContainText(why);
  });

  test("a helper that fails says why, and what can be done", async ({ chat }) => {
    await chat.say("ask in vain");
    await expect(chat.helpers.getByRole("status")).toHaveText("failed");
    await expect(chat.helpers).toContainText("quota used up");
    await expect(chat.helpers).toContainText("Open it to ask what happened, or have the answer given anew.");
    await expect(chat.answers).toContainText("Nothing came of it.");
  });

  test("a tool call puts a helper to work, and its report reaches the answer", async ({ chat }) => {
    await chat.say("ask about one");
    await expect(chat.helpers).toHaveCount(1);
    await expect(chat.helpers.first().getByRole("status")).toHaveText("completed");
    await expect(chat.helpers.first()).toContainText("High and low water.");
    await expect(chat.answers.first()).toContainText("The moon pulls twice a day.");
    await expect(chat.stop).toBeHidden();
  });

  test("two calls of one step put two helpers to work, and both reports reach the answer", async ({ chat, page }) => {
    await chat.say("ask about two");
    await expect(chat.helpers).toHaveCount(2);
    for (const helper of await chat.helpers.all()) await expect(helper.getByRole("status")).toHaveText("completed");
    await expect(chat.helpers.first()).toContainText("High and low water.");
    await expect(chat.helpers.last()).toContainText("Moving air.");
    await expect(chat.answers.first()).toContainText("Both come from the sky.");
    await page.reload();
    await expect(chat.helpers).toHaveCount(2);
    await expect(chat.answers.first()).toContainText("Both come from the sky.");
  });
}
