/** Text search over holds, newest first. It reads many rows, so it works in slices and within a time limit. */

import { type HoldText, textMatcher, whereMatcher } from "../hold-text.ts";
import type { HoldSearch, HoldSearchPage } from "../port.ts";
import { BEYOND_EVERY_ID } from "../text-order.ts";
import { rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

const SLICE = 2000;

interface TextRow extends HoldText {
  readonly creator: string;
}

/** The search returns ids only: passing whole holds between threads would copy them in one event-loop turn (G13). */
export interface FoundIds extends Pick<HoldSearchPage, "resumeAfter"> {
  readonly ids: readonly string[];
}

export interface SearchTime {
  /** Whether the time limit is reached. It is checked after each slice, so every search makes progress. */
  isOver(): boolean;
  /** Lets other requests use the thread. */
  pause(): Promise<void>;
}

export async function searchHolds(
  statements: Statements,
  search: HoldSearch,
  time: SearchTime,
): Promise<FoundIds> {
  const { limit } = search;
  const hasText = textMatcher(search.text);
  const isWanted = whereMatcher(search.where);
  const isMatch = (hold: TextRow) => isWanted(hold) && hasText(hold);
  const ids: string[] = [];
  let resumeAfter: string | null = search.after ?? BEYOND_EVERY_ID;
  do {
    const slice = readSlice(statements, search, resumeAfter);
    // No index covers a creator's holds in all statuses; holds of other creators are filtered out here.
    const own = slice.filter(({ creator }) => search.creator === undefined || creator === search.creator);
    ids.push(...own.filter(isMatch).map(({ id }) => id));
    resumeAfter = slice.length < SLICE ? null : (slice.at(-1)?.id ?? null);
    await time.pause();
  } while (resumeAfter !== null && ids.length < limit && !time.isOver());
  if (ids.length >= limit) resumeAfter = ids[limit - 1] ?? null;
  return { ids: ids.slice(0, limit), resumeAfter };
}

const TEXT = `id, creator, body ->> '$.ask.prompt' AS prompt, body ->> '$.key' AS key,
  body -> '$.ask.context' AS context`;
/** Each member that is read costs time on every row, so those for conditions are read only if there is one. */
const CONDITIONS = `body ->> '$.ask.type' AS type, body ->> '$.assignee' AS assignee,
  body ->> '$.openedAt' AS openedAt, body ->> '$.outcome.action' AS action, body ->> '$.outcome.door' AS door,
  body ->> '$.outcome.by.name' AS "by", body ->> '$.outcome.by.id' AS byId, body ->> '$.outcome.at' AS settledAt`;

function readSlice(statements: Statements, search: HoldSearch, after: string): readonly TextRow[] {
  const { workspace, status, creator, where = {} } = search;
  const [filter, values] = filterOf(status, creator);
  const columns = Object.keys(where).length === 0 ? TEXT : `${TEXT}, ${CONDITIONS}`;
  const sql = `SELECT ${columns} FROM hold WHERE ${filter} AND id < ? ORDER BY id DESC LIMIT ${SLICE}`;
  return rowsOf(statements.of(sql).all(workspace, ...values, after));
}

function filterOf(
  status: string | undefined,
  creator: string | undefined,
): readonly [string, readonly string[]] {
  // The unary plus keeps SQLite from using an index that begins with the workspace, because it would have to sort its
  // rows by id.
  if (status === undefined) return ["+workspace = ?", []];
  if (creator === undefined) return ["workspace = ? AND status = ?", [status]];
  return ["workspace = ? AND creator = ? AND status = ?", [creator, status]];
}
