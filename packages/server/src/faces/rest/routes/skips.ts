/** Work that continued without a person: agents and apps record it, operators see it. */

import type { Entity } from "../../../kernel/entity.ts";
import { seesAll } from "../../../kernel/principal.ts";
import type { Skip } from "../../../kernel/skip/skip.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { readCursor, writeCursor } from "./holds.ts";

const PAGE = 50;

export const skips = {
  async recordSkip({ workspace, by, body }, deps) {
    const skip = { id: `skip_${deps.ids.next(deps.engine.clock.now())}`, ...body };
    const result = await deps.engine.run({ kind: "record_skip", workspace, by, skip });
    return { status: 201, body: present(accepted(result, by)) };
  },

  async listSkips({ workspace, by, query }, deps) {
    if (!seesAll(by)) throw fail("not_allowed", "people see skips");
    const { cursor, limit = PAGE } = query;
    const found = await deps.engine.store.query({
      ...{ workspace, kind: "skip", newestFirst: true, limit: limit + 1 },
      ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const skips = page.map((entity) => present(entity));
    return {
      status: 200,
      body: { skips, ...(last === undefined ? {} : { next_cursor: writeCursor(last.id) }) },
    };
  },
} satisfies Routes;

function present({ body }: Entity<Skip>) {
  const { id, what, agent, recordedBy, recordedAt } = body;
  return {
    id,
    what,
    ...(agent === undefined ? {} : { agent }),
    recorded_by: recordedBy,
    recorded_at: time(recordedAt),
  };
}
