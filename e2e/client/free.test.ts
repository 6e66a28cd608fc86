// The two Workers of the Free plan, before the published client.
import { cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { free, split } from "../free";
import { deployed, tokenFor } from "../token";
import { freshName, open, textOf } from "./tab";

let server: Dev;
beforeAll(async () => {
  server = await free(deployed);
});
afterAll(() => server.stop());
afterEach(cleanup);

test("a turn and its helpers run behind a front door that is another Worker", async () => {
  const [name, query] = [freshName(), { token: tokenFor(600) }];
  const where = { host: server.url, socket: { query } };
  const tab = await open(name, where);
  await tab.send("tool=compare chunks=20");
  await tab.ready(1);
  const runs = () => Object.values(tab.runs()).map(({ status, parts }) => [status, parts.map(textOfPart).join("")]);
  const said = expect.stringMatching(/^c0 .*c19 /);
  await tab.until(() => expect(runs()).toEqual(["completed", "completed"].map((status) => [status, said])));
  tab.unmount();

  const reloaded = await open(name, where);
  await reloaded.until(() => expect(Object.values(reloaded.runs())).toStrictEqual(Object.values(tab.runs())));
  expect(reloaded.now().chat.messages.map(textOf)).toEqual(tab.text());
  const stored = await fetch(`${server.url}/agents/assistant/${name}/get-messages?token=${query.token}`);
  expect(await stored.json()).toHaveLength(2);
});

test("the page and health are the front door's, and an agent needs a token", async () => {
  const get = async (path: string) => {
    const response = await fetch(server.url + path);
    return `${response.status} ${await response.text()}`;
  };
  expect(await get("/")).toMatch(/^200 <!doctype html>/i);
  expect(await get("/health")).toMatch(/^200 {"ok":true/);
  expect(await get("/tributary.json")).toMatch(
    /^200 .*"roots":\[{"agent":"assistant","class":"Assistant","title":"Tributary"/,
  );
  expect(await get("/agents/assistant/x/get-messages")).toBe("401 Unauthorized: a token is required");
});

test("no request reaches an object past the front door", async () => {
  const { agents, remove } = await split({ TRIBUTARY_ENV: "development" });
  const behind = await dev({ config: agents });
  try {
    for (const path of ["/agents/assistant/x/get-messages", `/agents/assistant/x?token=${tokenFor(600)}`, "/health"]) {
      const response = await fetch(behind.url + path);
      expect([response.status, await response.text()]).toEqual([404, "Not found"]);
    }
    const socket = new WebSocket(`${behind.url.replace("http", "ws")}/agents/assistant/x`);
    const end = await new Promise<string>((resolve) => {
      for (const type of ["open", "error"]) socket.addEventListener(type, () => resolve(type));
    });
    expect(end).toBe("error");
  } finally {
    await behind.stop();
    await remove();
  }
});

const textOfPart = (part: { type: string }) => ("text" in part ? String(part.text) : "");
