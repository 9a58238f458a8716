/** Reads rows with content that may be long in several turns of the event loop (G13). */

import { setImmediate as nextTurn } from "node:timers/promises";
import { TurnMeter } from "../load-room.ts";

export async function readInTurns<Row extends { readonly body: string }, Item>(
  rows: readonly Row[],
  read: (row: Row) => Item,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  const meter = new TurnMeter();
  for (const row of rows) {
    found.push(read(row));
    if (meter.isOver(row.body.length)) await nextTurn();
  }
  return found;
}
