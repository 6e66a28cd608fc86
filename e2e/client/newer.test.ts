// An older version of the program is deployed over storage that a newer one has written. It refuses the conversation and
// writes nothing. What a person types meanwhile is sent when the newer version is back.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { freshName, open } from "./tab";

// Vite does not know node:sqlite.
const sqlite = process.getBuiltinModule("node:sqlite");

let state: string;
let server: Dev;
/** The address that the client knows. It leads to the Worker that runs. */
let entrance: Server;
let host: string;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "tributary-newer-"));
  server = await dev({ state });
  entrance = createServer((client) => {
    const worker = connect(Number(new URL(server.url).port), "127.0.0.1");
    for (const [from, to] of [
      [client, worker],
      [worker, client],
    ] as const) {
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((listening) => entrance.listen(0, "127.0.0.1", listening));
  const address = entrance.address();
  host = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
});

afterEach(cleanup);

afterAll(async () => {
  await server.stop();
  entrance.close();
  await rm(state, { recursive: true, force: true });
});

/** Calls a function with each database of the stopped Worker that an object has written. */
async function databases(use: (db: DatabaseSync) => void): Promise<void> {
  for (const file of await readdir(state, { recursive: true })) {
    if (!file.endsWith(".sqlite")) continue;
    const db = new sqlite.DatabaseSync(join(state, file));
    const made = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'room_version'").all();
    if (made.length > 0) use(db);
    db.close();
  }
}

/** Everything that the objects have stored. The platform keeps the alarm in a table of its own. */
async function content(): Promise<unknown[]> {
  const all: unknown[] = [];
  await databases((db) => {
    const tables = db
      .prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name")
      .all();
    all.push(tables);
    for (const { name, sql } of tables)
      if (String(sql).startsWith("CREATE TABLE")) all.push(db.prepare(`SELECT * FROM "${name}"`).all());
  });
  return all;
}

/** When the platform's alarms go off, in milliseconds since 1970. */
async function alarms(): Promise<number[]> {
  const all: number[] = [];
  await databases((db) => {
    if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_cf_METADATA'").get()) return; // a helper
    const rows = db.prepare("SELECT value / 1000000 AS at FROM _cf_METADATA WHERE typeof(value) = 'integer'").all();
    for (const { at } of rows) all.push(Number(at));
  });
  return all;
}

/** Raises or lowers the stored version of a component of every object. */
async function raise(by: number): Promise<void> {
  await databases((db) => {
    const { changes } = db.prepare("UPDATE room_version SET version = version + ? WHERE room = 'chat'").run(by);
    expect(changes).toBe(1);
  });
}

/** Stops the Worker, changes its storage, and starts it again. */
async function restart(change: () => Promise<void>): Promise<void> {
  await server.stop();
  await change();
  server = await dev({ state });
}

test("an older version refuses newer storage, and the client comes back without a loss", async () => {
  const name = freshName();
  const tab = await open(name, { host });
  await tab.send("first chunks=1");
  await tab.ready(1);
  const other = await open(freshName(), { host });
  await other.send("tool=background the tides");
  await other.ready(1);
  other.unmount();
  let before: unknown[] = [];
  const begun = Date.now();
  await restart(async () => {
    await raise(1);
    before = await content();
  });
  expect(before).not.toEqual([]);

  const response = await fetch(`${host}/agents/assistant/${name}/get-messages`);
  expect([response.status, response.headers.get("Retry-After"), await response.text()]).toEqual([
    503,
    "10",
    "This conversation was written by another version of this program. Try again later.",
  ]);
  await tab.send("typed meanwhile chunks=1");
  await tab.until(() => expect(server.log().split("SocketOpened was refused").length).toBeGreaterThan(2));
  const { stored, known } =
    /component chat has version (?<stored>\d+), and this program knows version (?<known>\d+)/.exec(server.log())
      ?.groups ?? {};
  expect(Number(stored)).toBe(Number(known) + 1);

  // The alarm of the other conversation, whose helper is at work in the background.
  await tab.until(() => expect(server.log()).toContain("AlarmFired was refused"));
  await restart(async () => {
    expect(await content()).toEqual(before);
    expect(await alarms()).toContainEqual(expect.toSatisfy((at: number) => at >= begun + 5 * 60_000));
    await raise(-1);
  });
  await tab.until(async () => {
    const answer = await fetch(`${host}/agents/assistant/${name}/get-messages`);
    const messages = (await answer.json()) as { role: string; parts: unknown[] }[];
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(JSON.stringify(messages[2])).toContain("typed meanwhile");
    expect(tab.roles()).toEqual(["user", "assistant", "user", "assistant"]);
    expect(tab.now().chat.status).toBe("ready");
  });
});
