/**
 * Detects a pooler in transaction mode. It gives every transaction any free session, so settings, prepared
 * statements, locks and LISTEN are lost in the next one. It is checked at the start, because later errors would not
 * name the cause.
 */

import type pg from "pg";
import { StoreError } from "../store-error.ts";

/** A value that none of our sessions has, of a setting that a pooler does not carry from one session to another. */
const MARK = "14999ms";
const SET = "SELECT set_config('lock_timeout', $1, false)";
const READ = "SELECT current_setting('lock_timeout') AS found";

export async function assertSession(one: pg.ClientBase, other: pg.ClientBase): Promise<void> {
  const { rows: before } = await one.query<{ found: string }>(READ);
  await one.query(SET, [MARK]);
  // Takes the session that was just released, if the pooler released it.
  await other.query("BEGIN");
  const { rows } = await one.query<{ found: string }>(READ);
  await other.query("ROLLBACK");
  if (rows[0]?.found !== MARK) {
    throw new StoreError(
      "database_address",
      "The database is reached through a pooler in transaction mode. Holdpoint needs sessions of its own: connect to the " +
        "database itself, or set the pooler to session mode.",
    );
  }
  await one.query(SET, [before[0]?.found]);
}
