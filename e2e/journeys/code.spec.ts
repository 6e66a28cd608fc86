// Code that the model writes, as a person sees it: its lines, the calls that it makes, what they ask, and its outcome.

import { endless } from "../patience";
import { faultless } from "./axe";
import { type Chat, expect, type Locator, test } from "./fixture";

const card = (chat: Chat) => chat.answers.getByRole("group", { name: "Tool code" });
const word = (code: Locator) => code.getByRole("status").first();
const calls = (code: Locator, tool: string) =>
  code.getByRole("list", { name: "Calls" }).getByRole("group", { name: `Tool ${tool}` });
const bar = (chat: Chat) => chat.page.getByRole("region", { name: "Waiting for approval" });

const searches = `code: const queries = ["tea", "coffee", "water"];
const found = await Promise.all(queries.map((query) => tools.research({ query })));
console.log("found", found.length);
return { found: found.length };`;

const pages = `code: const found = await Promise.all(["tea", "ink"].map((query) => tools.web_search({ query })));
return found.flat().length;`;

const payments = `code: const small = await tools.pay({ amount: 20, to: "Bob" });
const words = [small.to];
for (const to of ["Ada", "Eve"]) {
  try {
    words.push((await tools.pay({ amount: 120, to })).to);
  } catch (error) {
    words.push(error.message);
  }
}
return words;`;

/** Keeps all that a card says, so that a state is seen that lasts for a moment only. */
async function listen(code: Locator): Promise<() => Promise<string[]>> {
  await code.evaluate((node) => {
    const heard = new Set([node.textContent]);
    new MutationObserver(() => heard.add(node.textContent)).observe(node, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(node, { heard });
  });
  return () => code.evaluate((node) => [...(node as unknown as { heard: Set<string> }).heard]);
}

test("code makes three calls at once, each a card with its helper below the code, and shows its result and its log", async ({
  chat,
}) => {
  await chat.say(searches);
  await expect(word(card(chat))).toHaveText("completed");
  await expect(card(chat)).toHaveCount(1);
  await expect(chat.conversation.getByRole("group", { name: "Tool research" })).toHaveCount(3);
  for (const [at, query] of ["tea", "coffee", "water"].entries()) {
    const call = calls(card(chat), "research").nth(at);
    await expect(call).toContainText(`“${query}”`);
    await expect(call.getByRole("region", { name: `Helper Research: ${query}` })).toContainText("completed");
  }
  await expect(card(chat)).toContainText("3 calls");
  await expect(card(chat).getByRole("group", { name: "Result" })).toHaveText(/"found": 3/);
  await expect(card(chat).getByRole("group", { name: "Log" })).toHaveText("found 3");
  await expect(chat.regenerate).toBeVisible();
  await faultless(chat.page);
});

test("calls stand beside the code, or below it where the page is narrow, and the keyboard folds the card", async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await chat.say(pages);
  await expect(word(card(chat))).toHaveText("completed");
  const lines = card(chat).locator("pre").first();
  const list = card(chat).getByRole("list", { name: "Calls" });
  const places = async () => [await lines.boundingBox(), await list.boundingBox()];
  const [code, beside] = await places();
  expect(beside?.x).toBeGreaterThan((code?.x ?? 0) + (code?.width ?? 0));
  await page.setViewportSize({ width: 390, height: 844 });
  const [above, below] = await places();
  expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));

  const details = card(chat).getByRole("button", { name: "Details" }).first();
  await details.focus();
  await page.keyboard.press("Enter");
  await expect(details).toHaveAttribute("aria-expanded", "false");
  await expect(lines).toBeHidden();
  await expect(word(card(chat))).toHaveText("completed");
  await page.keyboard.press("Enter");
  await expect(lines).toBeVisible();
});

test("code that fails says why, and marks its line, also in long code of which only the beginning is shown", async ({
  chat,
}) => {
  const lines = Array.from({ length: 20 }, (_, i) => `const n${i + 1} = ${i + 1};`);
  await chat.say(`code: ${lines.join("\n")}\nconsole.log("so far", n20);\nreturn n1.missing.length;`);
  const code = card(chat);
  await expect(word(code)).toHaveText("failed");
  await expect(code).toContainText(/TypeError: .*\(line 22\)/);
  await expect(code.locator("mark")).toHaveText("It failed here: return n1.missing.length;");
  await expect(code.getByText("const n12 = 12;")).toBeVisible();
  await expect(code.getByText("const n13 = 13;")).toBeHidden();
  await expect(code.getByRole("group", { name: "Log" })).toHaveText("so far 20");
  await faultless(chat.page);
  await code.getByRole("button", { name: "Show all 22 lines" }).press("Enter");
  await expect(code.getByText("const n13 = 13;")).toBeVisible();
  await expect(chat.stop).toBeHidden();
});

test("code asks for approval through a reload, goes on when a person approves and when one denies, and is never unfinished", async ({
  chat,
  page,
}) => {
  await chat.say(payments);
  const code = card(chat);
  await expect(word(code)).toHaveText("waiting for you");
  await expect(bar(chat)).toContainText("Code of the assistant asks: Pay 120 € to Ada");
  await expect(chat.stop).toBeHidden();
  await faultless(page);
  const said = await code.textContent();
  await page.reload();
  await expect(word(code)).toHaveText("waiting for you");
  await expect(code).toHaveText(said ?? "");

  const heard = await listen(code);
  await calls(code, "pay").nth(1).getByRole("button", { name: "Approve" }).click();
  await expect(bar(chat)).toContainText("Code of the assistant asks: Pay 120 € to Eve");
  await expect(calls(code, "pay").nth(1)).toContainText("done");
  await bar(chat).getByRole("button", { name: "Give a reason" }).click();
  await bar(chat).getByRole("textbox", { name: "Reason" }).fill("she is paid already");
  await bar(chat).getByRole("button", { name: "Deny" }).click();
  await expect(bar(chat)).toBeHidden();
  await expect(word(code)).toHaveText("completed");
  await expect(calls(code, "pay").nth(2)).toContainText("denied");
  await expect(code.getByRole("group", { name: "Result" })).toHaveText(/"Bob",\s+"Ada",\s+".*she is paid already/);
  expect((await heard()).filter((text) => text.includes("unfinished"))).toEqual([]);
  await expect(chat.stop).toBeHidden();
});

test("code that is under way looks the same after a reload, and goes on", async ({ chat, page }) => {
  await chat.say(`code: const small = await tools.pay({ amount: 20, to: "Bob" });
const found = await tools.research({ query: "tea ${endless}" }).catch((error) => error.message);
return [small.to, typeof found];`);
  const code = card(chat);
  const helper = calls(code, "research").getByRole("region", { name: /^Helper Research/ });
  await expect(helper).toContainText("c3 ");
  const lines = await code.locator("pre").first().textContent();
  await page.reload();
  await expect(word(code)).toHaveText("running");
  await expect(code.locator("pre").first()).toHaveText(lines ?? "");
  await expect(code).toContainText("2 calls · 1 done · 1 running");
  await expect(calls(code, "pay")).toContainText("done");
  await expect(helper).toContainText("c3 ");
  await helper.getByRole("button", { name: "Cancel" }).click();
  await expect(word(code)).toHaveText("completed");
  await expect(code).toHaveCount(1);
  await expect(code.getByRole("list", { name: "Calls" }).getByRole("listitem")).toHaveCount(2);
  await expect(code.getByRole("group", { name: "Result" })).toHaveText(/"Bob"/);
});

test("code waits while the conversation goes on, and goes on itself when a person answers", async ({ chat }) => {
  await chat.say(payments);
  const code = card(chat);
  await expect(word(code)).toHaveText("waiting for you");
  await expect(chat.stop).toBeHidden();
  await chat.say("Hello");
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.stop).toBeHidden();
  await expect(word(code)).toHaveText("waiting for you");
  const heard = await listen(code);
  for (const to of ["Ada", "Eve"]) {
    await expect(bar(chat)).toContainText(`Pay 120 € to ${to}`);
    await bar(chat).getByRole("button", { name: "Approve" }).click();
  }
  await expect(word(code)).toHaveText("completed");
  await expect(code.getByRole("group", { name: "Result" })).toHaveText(/"Bob",\s+"Ada",\s+"Eve"/);
  expect((await heard()).filter((text) => text.includes("unfinished"))).toEqual([]);
  await expect(chat.stop).toBeHidden();
});

test("a call that the code does not wait for is stopped with it, and says so", async ({ chat }) => {
  await chat.say(`code: tools.research({ query: "tea ${endless}" });
return (await tools.web_search({ query: "ink" })).length;`);
  const code = card(chat);
  await expect(word(code)).toHaveText("completed");
  await expect(code).toContainText("2 calls · 1 stopped · 1 done");
  await expect(calls(code, "research")).toContainText("the code has ended without waiting for it");
  await expect(chat.stop).toBeHidden();
});

test("stop ends code and the calls that it has made", async ({ chat, page }) => {
  await chat.say(`code: const found = await tools.research({ query: "tea ${endless}" });
return found;`);
  const code = card(chat);
  await expect(calls(code, "research").getByRole("region", { name: /^Helper Research/ })).toContainText("c3 ");
  await chat.stop.click();
  await expect(word(code)).toHaveText("stopped");
  await expect(code).toContainText("1 call · 1 stopped");
  await expect(calls(code, "research").getByRole("status").first()).toHaveText("aborted");
  await page.reload();
  await expect(word(code)).toHaveText("stopped");
  await expect(chat.stop).toBeHidden();
});
