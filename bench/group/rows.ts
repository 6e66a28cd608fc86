// What the platform bills, and what a turn sends.
import { type Key, rows as known } from "../goals.ts";
import * as scene from "../rows.ts";
import { beside, type Name, names, type Side } from "../side.ts";
import type { Table } from "../table.ts";

/** How many runs are kept, messages are stored and turns have been where it should make no difference. */
const many = { runs: 500, messages: 2000, turns: 200 };

type Play = (side: Side, note: (key: Key, value: number) => void) => Promise<void>;

/** The sides without the floor, which keeps nothing, and without the peer's local engine, which runs no code. */
const keeping: Name[] = ["tributary", "peer"];
const coding: Name[] = ["tributary"];

/** The scenes, each with how the names of its rows begin, and with the sides that have a part in it. */
const scenes: [prefixes: string[], play: Play, sides: readonly Name[]][] = [
  [["fresh."], scene.fresh, names],
  [["turn5.", "turn100.", "turn1000."], scene.turns, names],
  [["helper.", "helpers8."], scene.helpers, names],
  [["bytes.10."], (side, note) => scene.bytes(side, note, 10), names],
  [["bytes.1000."], (side, note) => scene.bytes(side, note, 1000), names],
  [["tab.", "flat.runs"], (side, note) => scene.kept(side, note, many.runs), keeping],
  [["flat.messages", "flat.turns"], (side, note) => scene.history(side, note, many.messages, many.turns), keeping],
  [["calls."], scene.code, coding],
];

export const rows = (table: Table): Promise<void> =>
  beside(
    async (sides) => {
      for (const side of sides) for (const one of scenes) if (one[2].includes(side.name)) await play(side, one, table);
    },
    { counting: true },
  );

async function play(side: Side, [prefixes, scene]: (typeof scenes)[number], table: Table): Promise<void> {
  const missing = new Set(
    (Object.keys(known) as Key[]).filter((key) => prefixes.some((prefix) => key.startsWith(prefix))),
  );
  const note = (key: Key, value: number) => {
    missing.delete(key);
    table.add(key, side.name, value);
  };
  await scene(side, note).catch((error) => table.fail([...missing], side.name, error));
}
