// A socket ends with its token, and the published client continues with another token.
import { act, cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { deployed, tokenFor } from "../token";
import { freshName, open } from "./tab";

let server: Dev;
beforeAll(async () => {
  server = await dev({ vars: deployed });
}, 60_000);
afterAll(() => server.stop());
afterEach(cleanup);

test("a connection is closed when its token ends, and another token opens it again", { timeout: 120_000 }, async () => {
  const name = freshName();
  const socket = { query: { token: tokenFor(600) } };
  const tab = await open(name, { host: server.url, socket });
  await tab.send("hi chunks=1");
  await tab.ready(1);
  const shown = tab.text();

  const renew = async (token: string) => {
    socket.query = { token };
    await act(async () => tab.rerender());
  };
  await renew(tokenFor(8));
  await tab.until(() => expect(tab.now().agent.identified).toBe(true));
  await tab.until(() => expect(tab.now().agent.connectionError).toMatchObject({ code: 4401 }));
  expect(tab.now().agent.connectionError?.reason).toBe("Unauthorized: the token has expired");
  expect(tab.text()).toEqual(shown);

  await renew(tokenFor(600));
  await tab.until(() => expect(tab.now().agent.identified).toBe(true));
  expect(tab.now().agent.connectionError).toBeNull();
  await tab.send("again chunks=1");
  await tab.ready(2);
  expect(tab.text()).toHaveLength(4);
  expect(tab.text().slice(0, 2)).toEqual(shown);
});
