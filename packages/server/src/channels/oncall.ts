/**
 * Who is on call. A calendar file is read when a notification is sent; a rota that cannot be read or names nobody makes the
 * delivery fail visibly, and the ladder goes on to its next rung.
 */

import { readFile } from "node:fs/promises";
import { type Rota, type Turns, turnsAt } from "../kernel/server/rota.ts";

/** Who is on call at this moment and who is next. Rejects where a file of the configuration cannot be read. */
export async function turnsOf(rota: Rota, now: number): Promise<Turns> {
  if (rota.kind !== "ical") return turnsAt(rota, now);
  return turnsAt({ kind: "calendar", text: await readFile(rota.file, "utf8") }, now);
}
