// workerd is killed in the middle of turns with two helpers. It restarts on the same storage, the published client
// reconnects by itself, and the turn ends as it would have ended without a kill.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanup, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { type Model, model } from "../model/server";
import { generator } from "../random";
import { kill } from "../workerd";
import { freshName, open, waitOptions } from "./tab";
import { Comparison } from "./turn";

/**
 * How many turns are played with each major of the AI SDK, and the seed of the moments of the kills. The moments differ
 * between the majors.
 */
const rounds = Number(process.env.KILL_ROUNDS ?? 5);
const seed = Number(process.env.KILL_SEED ?? 1);
const sdk = Number(process.env.AI_SDK);

let state: string;
let player: Model;
let server: Dev;
/** Called at every frame that the tab is sent and every request that the model gets. */
let signal = () => {};
/** How many signals there are in a turn without a kill. */
let calm: number;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "tributary-kill-"));
  player = await model(10, () => signal());
  server = await dev({ state, vars: player.vars });
  calm = await play([]);
});

afterEach(cleanup);

afterAll(async () => {
  await server.stop();
  player.stop();
  await rm(state, { recursive: true, force: true });
});

const random = generator(1000 * sdk + seed);

for (let round = 0; round < rounds; round++) {
  const shares = Array.from({ length: round % 5 === 4 ? 2 : 1 }, random).toSorted();
  const where = shares.map((share) => `${(100 * share).toFixed(1)} %`).join(" and ");
  const title = `a turn survives a kill after ${where} of it (round ${round} of KILL_SEED=${seed} with AI SDK ${sdk})`;
  test(title, async () => void (await play(shares.map((share) => 1 + Math.floor(share * calm)))));
}

/** Plays a turn, kills at the signals with the given numbers, and returns how many signals there were. */
async function play(kills: number[]): Promise<number> {
  const name = freshName();
  const turn = new Comparison();
  let [signals, killed, connected] = [0, 0, false];
  const asked: number[] = []; // how many requests the model had got at each kill
  signal = () => {
    if (++signals < (kills[killed] ?? Number.POSITIVE_INFINITY)) return; // two kills at the same signal are two kills
    killed++;
    asked.push(player.answers.length);
    connected = false;
    kill(server, state);
  };
  const onOpen = () => {
    connected = true;
  };
  const tab = await open(name, { host: server.url, socket: { onOpen, onMessage: () => signal() } });
  await waitFor(() => expect(connected).toBe(true), waitOptions); // a message to a dead Worker would be lost before it becomes a turn
  await tab.send(turn.prompt);
  await waitFor(() => {
    expect([killed, connected]).toEqual([kills.length, true]);
    turn.shownBy(tab);
  }, waitOptions);
  const total = signals;
  // The answer to this call comes after everything else that the tab is sent.
  expect(await tab.now().agent.call("runs", [])).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  turn.shownBy(tab);
  turn.askedOf(player, asked);
  const reloaded = await open(name, { host: server.url });
  await reloaded.until(() => turn.shownBy(reloaded));
  expect(reloaded.runs()).toStrictEqual(tab.runs());
  return total;
}
