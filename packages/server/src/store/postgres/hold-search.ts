/** Text search over holds, newest first: in slices, each a short statement, and within a time limit. */

import { type HoldText, holdTextOf, textMatcher, whereMatcher } from "../hold-text.ts";
import type { HoldSearch, HoldSearchPage } from "../port.ts";
import { typed } from "../typed.ts";
import { loadEntities } from "./entity-reader.ts";
import { pack, unpack } from "./packed-text.ts";
import { readInTurns } from "./rows-in-turns.ts";
import type { Sql } from "./sql.ts";

/** Whole bodies are read, so a slice has fewer rows than in the embedded store. */
const SLICE = 500;

interface TextRow {
  readonly id: string;
  readonly body: string;
}

export async function searchHolds(
  sql: Sql,
  search: HoldSearch,
  isOver: () => boolean,
): Promise<HoldSearchPage> {
  const { workspace, limit } = search;
  const hasText = textMatcher(search.text);
  const isWanted = whereMatcher(search.where);
  const isMatch = (hold: HoldText) => isWanted(hold) && hasText(hold);
  const ids: string[] = [];
  let after: string | undefined = search.after;
  let resumeAfter: string | null = null;
  do {
    const slice = await readSlice(sql, search, after, isMatch);
    for (const { id, isFound } of slice) if (isFound) ids.push(id);
    after = slice.at(-1)?.id;
    resumeAfter = slice.length < SLICE ? null : (after ?? null);
  } while (resumeAfter !== null && ids.length < limit && !isOver());
  if (ids.length >= limit) resumeAfter = ids[limit - 1] ?? null;
  const wanted = ids.slice(0, limit);
  const found = await loadEntities(
    sql,
    wanted.map((id) => ({ workspace, kind: "hold", id }) as const),
  );
  const byId = new Map(found.map((hold) => [hold.id, hold]));
  return { holds: typed(wanted.flatMap((id) => byId.get(id) ?? [])), resumeAfter };
}

async function readSlice(
  sql: Sql,
  search: HoldSearch,
  after: string | undefined,
  isMatch: (hold: HoldText) => boolean,
) {
  const values: unknown[] = [pack(search.workspace)];
  const place = (value: string) => `$${values.push(pack(value))}`;
  const where = ["workspace = $1"];
  if (search.status !== undefined) where.push(`status = ${place(search.status)}`);
  if (search.creator !== undefined) where.push(`creator = ${place(search.creator)}`);
  if (after !== undefined) where.push(`id < ${place(after)}`);
  // The text is not extracted with the database's JSON functions: they reject an escaped NUL, which a context may
  // contain.
  const text = `SELECT id, body FROM hold
    WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${SLICE}`;
  const rows = await sql.all<TextRow>(text, values);
  return readInTurns(rows, ({ id: packed, body }) => {
    const id = unpack(packed);
    return { id, isFound: isMatch(holdTextOf(id, JSON.parse(body))) };
  });
}
