/** Reads rows with content that may be long in several turns of the event loop (G13). */

import { setImmediate as nextTurn } from "node:timers/promises";

/** So much takes about a millisecond to parse if it is one text, and several if it is many values. */
const CHARACTERS_A_TURN = 256 * 1024;

export async function readInTurns<Row extends { readonly body: string }, Item>(
  rows: readonly Row[],
  read: (row: Row) => Item,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let characters = 0;
  for (const row of rows) {
    found.push(read(row));
    characters += row.body.length;
    if (characters < CHARACTERS_A_TURN) continue;
    characters = 0;
    await nextTurn();
  }
  return found;
}
