// What the platform bills, and what a turn sends.
import { type Key, rows as known } from "../goals.ts";
import * as scene from "../rows.ts";
import { beside, type Side } from "../side.ts";
import type { Table } from "../table.ts";

/** How many runs are kept, messages are stored and turns have been where it should make no difference. */
const many = { runs: 500, messages: 2000, turns: 200 };

type Play = (side: Side, note: (key: Key, value: number) => void) => Promise<void>;

/** The scenes, each with how the names of its rows begin. The floor keeps nothing, and has no part in the last ones. */
const scenes: [prefixes: string[], play: Play, floor: boolean][] = [
  [["fresh."], scene.fresh, true],
  [["turn5.", "turn100.", "turn1000."], scene.turns, true],
  [["helper.", "helpers8."], scene.helpers, true],
  [["bytes.10."], (side, note) => scene.bytes(side, note, 10), true],
  [["bytes.1000."], (side, note) => scene.bytes(side, note, 1000), true],
  [["tab.", "flat.runs"], (side, note) => scene.kept(side, note, many.runs), false],
  [["flat.messages", "flat.turns"], (side, note) => scene.history(side, note, many.messages, many.turns), false],
];

export const rows = (table: Table): Promise<void> =>
  beside(
    async (sides) => {
      for (const side of sides)
        for (const one of scenes) if (one[2] || side.name !== "floor") await play(side, one, table);
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
