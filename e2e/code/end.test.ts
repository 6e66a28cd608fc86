// Calls that are under way when their code ends, and tools that are gone when it goes on.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Counter, counter } from "../workflow/counter";
import { freshName, Office, until } from "../workflow/office";
import { Coder, directive, made, outputOf } from "./coder";

let office: Office;
let server: Counter;
/** Resolved when the request for /never has come, and when its caller has given it up. */
const [came, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
/** What the answers to paths wait for. */
const held: Record<string, Promise<void>> = { "/behind": came.promise };

beforeAll(async () => {
  server = await counter(async ({ path }, response) => {
    if (path === "/never") {
      came.resolve();
      response.on("close", left.resolve);
      return;
    }
    await held[path];
    response.end(path);
  });
  office = await Office.open({ config: inject("code") });
});

afterAll(async () => {
  await office.close();
  server.stop();
});

test("a call that the code has begun and does not await is cancelled when the code ends", async () => {
  const coder = await Coder.open(office, freshName());
  const post = (path: string) => `tools.post({ url: "${server.url}${path}" })`;
  const message = await coder.shown(`${post("/never")}; return await ${post("/behind")}`);
  expect(outputOf(message)).toMatchObject({ status: "completed", result: "/behind" });
  const [first, second] = made(message);
  expect(first).toMatchObject({ state: "output-error", errorText: expect.stringMatching(/./) });
  expect(second).toMatchObject({ state: "output-available" });
  await left.promise;
  expect(server.count("/never")).toBe(1);
  coder.close();
});

test("a tool that a deployment has removed is an error that the code can catch", async () => {
  const name = freshName();
  const before = await Coder.open(office, name);
  const code = `
    const first = (await tools.retired({ words: "there" })).words;
    await tools.repost({ url: "${server.url}/meanwhile" });
    const second = await tools.retired({ words: "gone" }).catch((error) => error.message);
    return [first, second]`;
  const { promise, resolve } = Promise.withResolvers<void>();
  held["/meanwhile"] = promise;
  const turn = await before.say(directive(code));
  await until(() => expect(server.count("/meanwhile")).toBe(1));
  before.close();
  await office.deploy({ RETIRED: "yes" });
  resolve();
  const behind = await Coder.open(office, name);
  const output = outputOf(await behind.over(turn));
  expect(output).toMatchObject({ status: "completed", result: ["there", expect.stringContaining("retired")] });
  // Other code is told that there is no such tool.
  const fresh = await behind.run(
    'return typeof tools.retired === "function" ? await tools.retired({ words: "" }) : "gone"',
  );
  expect(fresh).not.toMatchObject({ status: "completed", result: { words: "" } });
  expect(outputOf(await behind.shown("return 1"))).toMatchObject({ status: "completed", result: 1 });
  behind.close();
});
