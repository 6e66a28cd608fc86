// Many connections to one conversation.
import { once } from "node:events";
import { WebSocket } from "ws";
import { beside, type Side } from "../side.ts";
import { connect, Tab } from "../tab.ts";
import type { Table } from "../table.ts";

const connections = 1000;
const chunks = 50;

export const crowd = (table: Table, rounds: number): Promise<void> =>
  beside(async (sides) => {
    for (const side of sides) await one(side, table, Math.ceil(rounds / 2));
  });

/** Connects everybody, then has a turn reach them, so often. Those who only listen cost their process as little as can be. */
async function one(side: Side, table: Table, rounds: number): Promise<void> {
  const sockets: WebSocket[] = [];
  for (let i = 0; i < connections; i++) sockets.push(await listener(side));
  const tab = await Tab.open(side.url, "crowd").catch(() => undefined);
  const held = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN);
  table.add("crowd.held", side.name, held.length);
  for (let round = 0; round < rounds; round++)
    await table.take(["crowd.turn"], side.name, async () => {
      if (!tab || held.length < connections) throw new Error(`it holds ${held.length} connections`);
      return [await reach(tab, side, held)];
    });
  for (const socket of sockets) socket.terminate();
  tab?.close();
}

async function listener({ url }: Side): Promise<WebSocket> {
  const socket = connect(url, "crowd");
  await Promise.race([once(socket, "message"), once(socket, "close")]).catch(() => {}); // its state says what became of it
  return socket;
}

/** How long a turn takes until everybody has heard its end, in ms. */
async function reach(tab: Tab, side: Side, sockets: WebSocket[]): Promise<number> {
  const ended = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        const hear = (data: Buffer) => {
          if (!data.includes('"done":true')) return;
          socket.off("message", hear);
          resolve();
        };
        socket.on("message", hear);
        socket.once("close", () => reject(new Error("a connection was closed")));
      }),
  );
  const start = performance.now();
  await Promise.all([tab.ask(side.ask(`hi chunks=${chunks}`, "write=1")), ...ended]);
  return performance.now() - start;
}
