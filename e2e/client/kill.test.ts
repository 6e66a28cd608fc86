// workerd is killed in the middle of turns with two helpers. It comes back on the same storage, the published client
// connects again by itself, and the turn comes to what it would have come to.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanup, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { type Model, model } from "../model/server";
import { generator } from "../random";
import { kill } from "../workerd";
import { freshName, open } from "./tab";
import { Comparison } from "./turn";

/** How many turns are played with each major of the AI SDK, and what chooses their moments: other ones with each. */
const rounds = Number(process.env.KILL_ROUNDS ?? 5);
const seed = Number(process.env.KILL_SEED ?? 1);
const sdk = Number(process.env.AI_SDK);
/** How long a turn may take with all that happens to it, in ms. */
const waitOptions = { timeout: 60_000 };

let state: string;
let player: Model;
let server: Dev;
/** Called at everything that the tab is sent and that the model is asked. */
let signal = () => {};
/** How many signals there are in a turn that is left in peace. */
let calm: number;

beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "tributary-kill-"));
  player = await model(10, () => signal());
  server = await dev({ state, vars: player.vars });
  calm = await play([]);
}, 2 * waitOptions.timeout);

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
  test(
    title,
    async () => void (await play(shares.map((share) => 1 + Math.floor(share * calm)))),
    2 * waitOptions.timeout,
  );
}

/** Plays a turn, kills at the signals of these numbers, and returns how many signals there were. */
async function play(kills: number[]): Promise<number> {
  const name = freshName();
  const turn = new Comparison();
  let [signals, killed, connected] = [0, 0, false];
  const asked: number[] = []; // how often the model had been asked, at each kill
  signal = () => {
    if (++signals < (kills[killed] ?? Number.POSITIVE_INFINITY)) return; // two that fall together are two all the same
    killed++;
    asked.push(player.answers.length);
    connected = false;
    kill(server, state);
  };
  const onOpen = () => {
    connected = true;
  };
  const tab = await open(name, { host: server.url, socket: { onOpen, onMessage: () => signal() } });
  await waitFor(() => expect(connected).toBe(true), waitOptions); // what is said to a dead Worker is lost before it is a turn
  await tab.send(turn.prompt);
  await waitFor(() => {
    expect([killed, connected]).toEqual([kills.length, true]);
    turn.shownBy(tab);
  }, waitOptions);
  const total = signals;
  // The answer to a call comes behind whatever else the tab is sent.
  expect(await tab.now().agent.call("runs", [])).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  turn.shownBy(tab);
  turn.askedOf(player, asked);
  const reloaded = await open(name, { host: server.url });
  await reloaded.until(() => turn.shownBy(reloaded));
  expect(reloaded.runs()).toStrictEqual(tab.runs());
  return total;
}
