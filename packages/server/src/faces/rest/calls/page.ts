/** One page of the entities of a kind, newest first. */

import type { EntityOf, Kind } from "../../../domains.ts";
import type { CallDeps } from "./caller.ts";
import { readCursor, writeCursor } from "./cursor.ts";

const PAGE = 50;

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface Page<K extends Kind> {
  readonly page: readonly EntityOf<K>[];
  /** To be spread into the reply; empty on the last page. */
  readonly next: { readonly next_cursor?: string };
}

export async function pageOf<K extends Kind>(
  kind: K,
  workspace: string,
  { cursor, limit = PAGE }: Paging,
  { engine }: Pick<CallDeps, "engine">,
): Promise<Page<K>> {
  const after = cursor === undefined ? {} : { after: readCursor(cursor) };
  const found = await engine.store.query({ workspace, kind, newestFirst: true, limit: limit + 1, ...after });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { page, next: last === undefined ? {} : { next_cursor: writeCursor(last.id) } };
}
