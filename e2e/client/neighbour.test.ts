// One client sends large and odd frames of every kind, from an object of its own. Only that object may suffer: a
// neighbour's turn beside it asks its model as often as it would alone. bench/neighbour measures how long the turn
// takes.
import { cleanup } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { frames } from "../../bench/neighbour/frames";
import { type Dev, dev } from "../dev";
import { type Model, model } from "../model/server";
import { freshName, open } from "./tab";

let player: Model;
let server: Dev;

beforeAll(async () => {
  player = await model(20);
  server = await dev({ vars: player.vars });
});
afterEach(cleanup);
afterAll(async () => {
  await server.stop();
  player.stop();
});

/**
 * Sends a frame on a connection of its own. Resolves when a call that was sent after the frame is answered, or when the
 * connection has ended.
 */
function send(name: string, frame: string | Uint8Array): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = new WebSocket(
    `${server.url.replace("http", "ws")}/agents/assistant/${name}?_pk=${crypto.randomUUID()}`,
  );
  socket.addEventListener("open", () => {
    socket.send(frame as string);
    socket.send(JSON.stringify({ type: "rpc", id: "behind", method: "runs", args: [] }));
  });
  socket.addEventListener("message", ({ data }) => {
    if (String(data).includes('"behind"')) socket.close();
  });
  socket.addEventListener("close", () => resolve());
  return promise;
}

/** Plays a turn with two helpers, and returns how many requests the model got. */
async function turn(subject: string): Promise<number> {
  const tab = await open(freshName(), { host: server.url });
  await tab.send(`Compare ${subject}a and ${subject}b`);
  await tab.until(() => expect(tab.text()[1]).toContain("That is all."));
  await tab.until(() => expect(tab.now().chat).toMatchObject({ status: "ready", isStreaming: false }));
  return player.answers.filter(({ prompt }) => prompt.includes(subject)).length;
}

test("a turn beside a hostile client asks its model as often as it would alone", async () => {
  const alone = await turn("alone");
  expect(alone).toBeGreaterThan(0);
  const hostile = freshName();
  // An unknown cause of traps may cost the others two lives of the instance at most. Here both are used up.
  for (const frame of [...frames, ...frames]) await send(hostile, frame());
  const [beside] = await Promise.all([turn("beside"), ...frames.map((frame) => send(hostile, frame()))]);
  expect(beside).toBe(alone);
});
