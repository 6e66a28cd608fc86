// What the platform bills, and what a turn sends.
import { bytes, fresh, helpers, history, kept, turns } from "../rows.ts";
import { beside } from "../side.ts";
import type { Table } from "../table.ts";

/** How many runs are kept, messages are stored and turns have been where it should make no difference. */
const many = { runs: 500, messages: 2000, turns: 200 };

export const rows = (table: Table): Promise<void> =>
  beside(
    async (sides) => {
      for (const side of sides) {
        const note = (key: Parameters<Table["add"]>[0], value: number) => table.add(key, side.name, value);
        await fresh(side, note);
        await turns(side, note);
        await helpers(side, note);
        await bytes(side, note, 10);
        await bytes(side, note, 1000);
        if (side.name === "floor") continue; // it keeps nothing
        await kept(side, note, many.runs);
        await history(side, note, many.messages, many.turns);
      }
    },
    { counting: true },
  );
