// C9: who signs in, and where tokens are.
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freshName, Office } from "../workflow/office";
import { Browser } from "./browser";
import { type Demo, serve } from "./demo/server";
import { Guest } from "./guest";

let office: Office;
let demo: Demo;

beforeAll(async () => {
  demo = await serve({ pace: async () => {} });
  office = await Office.open({ config: inject("mcp") });
});

afterAll(async () => {
  await office.close();
  await demo.stop();
});

/** The link of a server that waits for a person. */
async function linkOf(guest: Guest, id: string): Promise<string> {
  const { auth_url } = await guest.state(id, "authenticating");
  return new URL(auth_url ?? "", office.url).href;
}

/** Signs in at the authorization server. Returns the address to which it sends the browser back. */
async function consent(browser: Browser, link: string): Promise<string> {
  const { location } = await browser.press(await browser.follow(await browser.leave(link)));
  expect(location).toMatch(/[?&]code=.*[?&]state=/);
  return location ?? "";
}

/** Addresses of the way back that are not those of the one who has begun. */
const forged: Record<string, (back: string) => string> = {
  "another state": (back) => back.replace(/state=[^&]*/, "state=made-up"),
  "a state whose secret is another one": (back) => back.replace(/(state=[^.]*\.)[^.]*/, "$1made-up"),
  "no state": (back) => back.replace(/state=[^&]*/, ""),
  "another issuer": (back) => back.replace(/iss=[^&]*/, "iss=https%3A%2F%2Fother.example"),
};

test("C9: the way back is good for who has begun, and once; nothing else changes anything", async () => {
  const guest = await Guest.open(office.url, freshName());
  const id = await guest.add("demo", demo.privateUrl);
  const browser = new Browser();
  let back = await consent(browser, await linkOf(guest, id));
  expect((await new Browser().get(back)).status, "without the cookie").toBe(403);
  for (const [what, forge] of Object.entries(forged)) {
    const { status, text } = await browser.get(forge(back));
    expect(status, what).toBeGreaterThanOrEqual(400);
    expect(text, what).not.toContain("Signed in");
    expect(guest.servers.servers[id]?.state, what).toBe("authenticating");
    expect(demo.signIn.issued, what).toEqual([]);
    // A state that was sent back is used up.
    if (what === "another issuer") back = await consent(browser, await linkOf(guest, id));
  }
  expect(await browser.get(back)).toMatchObject({ status: 200, text: expect.stringContaining("Signed in") });
  await guest.state(id, "ready");
  expect((await browser.get(back)).status, "a second time").toBe(403);
  expect(guest.servers.servers[id]).toMatchObject({ state: "ready", error: null });
  expect((await guest.turn({ tool: "demo_weather", input: { city: "Oslo" } })).answer).toContain("Oslo");
  guest.close();
});

test("C9: a link is good for ten minutes, and pressing again helps", async () => {
  const name = freshName();
  const guest = await Guest.open(office.url, name);
  const id = await guest.add("demo", demo.privateUrl);
  const browser = new Browser();
  const back = await consent(browser, await linkOf(guest, id));
  guest.close();
  await office.jump();
  const here = (url: string) => url.replace(/^http:\/\/[^/]*/, office.url);
  expect((await browser.get(here(back))).status).toBe(403);
  const later = await Guest.open(office.url, name);
  const again = new Browser();
  const { status } = await again.get(await consent(again, await linkOf(later, id)));
  expect(status).toBe(200);
  await later.state(id, "ready");
  later.close();
});

/** Files, by their paths. */
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The files that have one of the secrets. */
async function having(folder: string, secrets: string[]): Promise<string[]> {
  const files = await Promise.all((await filesIn(folder)).map(async (path) => [path, await readFile(path)] as const));
  return files.filter(([, bytes]) => secrets.some((secret) => bytes.includes(secret))).map(([path]) => path);
}

// vite does not know this module of Node.
const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as typeof import("node:sqlite");

/** Deletes all rows of a table, and what is left of them in the file. */
function wipe(path: string, table: string): number {
  const database = new DatabaseSync(path);
  const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table) !== undefined;
  const { changes } = known ? database.prepare(`DELETE FROM ${table}`).run() : { changes: 0 };
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return Number(changes);
}

test("C9: a token is in its table alone: in no other row, frame, message, log, or answer of the inspector", async () => {
  const guest = await Guest.open(office.url, freshName());
  const given = `given-${crypto.randomUUID()}`;
  await guest.state(await guest.add("open", demo.url, { headers: { "x-key": given } }), "ready");
  const id = await guest.add("demo", demo.privateUrl);
  const browser = new Browser();
  const back = await consent(browser, await linkOf(guest, id));
  await browser.get(back);
  await guest.state(id, "ready");
  for (const tool of ["demo_weather", "open_weather"])
    expect((await guest.turn({ tool, input: { city: "Oslo" } })).answer).toContain("Oslo");
  const inspected = JSON.stringify(await guest.call("inspect"));
  const stored = await (await fetch(`${guest.address}/get-messages`)).text();
  guest.close();
  const link = new URL(back).searchParams;
  const tokens = [...demo.signIn.issued, given];
  const secrets = [...tokens, link.get("state") ?? "", link.get("code") ?? ""];
  expect(demo.signIn.issued.length).toBeGreaterThan(0);
  expect(secrets.filter((secret) => secret.length < 20)).toEqual([]);
  for (const [where, text] of Object.entries({ frames: guest.frames.join("\n"), inspected, stored, log: office.log }))
    expect(
      secrets.filter((secret) => text.includes(secret)),
      where,
    ).toEqual([]);

  office.kill(); // so that nothing is written while it is copied
  const copy = await mkdtemp(join(tmpdir(), "tributary-copy-"));
  await cp(office.state, copy, { recursive: true });
  await office.ready();
  expect(await having(copy, [given])).not.toEqual([]);
  const databases = (await filesIn(copy)).filter((path) => path.endsWith(".sqlite"));
  const wiped = databases.map((path) => wipe(path, "mcp_secret"));
  expect(Math.max(...wiped)).toBeGreaterThan(0);
  // wrangler's own traces have the address of the way back, whose state and code are used up.
  expect(await having(copy, tokens)).toEqual([]);
  expect(await having(join(copy, "v3/do"), secrets)).toEqual([]);
  await rm(copy, { recursive: true });
});
