/** Work that continued without a person: agents and apps record it, operators see it. */

import { seesAll } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { readCursor, writeCursor } from "../calls/cursor.ts";
import { presentSkip, recordSkip } from "../calls/skips.ts";
import type { Routes } from "../operations.ts";

const PAGE = 50;

export const skips = {
  async recordSkip(call, deps) {
    return { status: 201, body: await recordSkip(call, call.body, deps) };
  },

  async listSkips({ workspace, by, query }, deps) {
    if (!seesAll(by))
      throw fail("not_allowed", "Only people see skips. Use an operator, admin or auditor key.");
    const { cursor, limit = PAGE } = query;
    const found = await deps.engine.store.query({
      ...{ workspace, kind: "skip", newestFirst: true, limit: limit + 1 },
      ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const skips = page.map(presentSkip);
    return {
      status: 200,
      body: { skips, ...(last === undefined ? {} : { next_cursor: writeCursor(last.id) }) },
    };
  },
} satisfies Routes;
