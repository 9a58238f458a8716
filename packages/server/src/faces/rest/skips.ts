/** What went on without a person: recorded by those who may ask one, seen by people. */

import { operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import type { Entity } from "../../kernel/entity.ts";
import { seesAll } from "../../kernel/principal.ts";
import type { Skip } from "../../kernel/skip/skip.ts";
import { type Call, type MountOptions, mount } from "../http/mount.ts";
import { time } from "../http/present.ts";
import { HttpTrouble } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { readCursor, writeCursor } from "./holds.ts";
import { accepted } from "./refusals.ts";

const PAGE = 50;

export function mountSkips(app: Hono, deps: RestDeps, options: MountOptions): void {
  mount(app, operations.recordSkip, (call) => record(call, deps), options);
  mount(app, operations.listSkips, (call) => list(call, deps), options);
}

async function record({ workspace, by, body }: Call<typeof operations.recordSkip>, deps: RestDeps) {
  const skip = { id: `skip_${deps.ids.next(deps.engine.clock.now())}`, ...body };
  const result = await deps.engine.run({ kind: "record_skip", workspace, by, skip });
  return { status: 201, body: present(accepted(result, by)) };
}

async function list({ workspace, by, query }: Call<typeof operations.listSkips>, deps: RestDeps) {
  if (!seesAll(by)) throw new HttpTrouble({ code: "not_allowed", detail: "people see skips" });
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
}

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
