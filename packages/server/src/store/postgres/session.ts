/**
 * A pooler in transaction mode gives every transaction whichever session is free, so that what was set, prepared, locked or
 * listened for is not there in the next one. Said at the start: what would fail later does not tell why.
 */

import type pg from "pg";
import { StoreError } from "../store-error.ts";

/** Not what any session of ours has, and nothing that a pooler carries from one to another. */
const MARK = "14999ms";
const SET = "SELECT set_config('lock_timeout', $1, false)";
const READ = "SELECT current_setting('lock_timeout') AS found";

export async function assertSession(one: pg.ClientBase, other: pg.ClientBase): Promise<void> {
  const { rows: before } = await one.query<{ found: string }>(READ);
  await one.query(SET, [MARK]);
  // Takes the session that was just set free, if it was.
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
