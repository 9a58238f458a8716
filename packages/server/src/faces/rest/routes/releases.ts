/** Releases of answers to agents behind a proxy. Operators see them, and decide those whose result is unknown. */

import type { Release } from "../../../agui/rules/release/release.ts";
import type { Entity } from "../../../kernel/entity.ts";
import { type Principal, seesAll } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

const PAGE = 50;

export const releases = {
  async listReleases({ workspace, by, query }, deps) {
    onlyForPeople(by);
    const { state, cursor } = query;
    const found = await deps.engine.store.query({
      ...{ workspace, kind: "release", newestFirst: true, limit: PAGE + 1 },
      ...(state === undefined ? {} : { index: { name: "state", value: state } }),
      ...(cursor === undefined ? {} : { after: cursor }),
    });
    const page = found.slice(0, PAGE);
    const next = found.length > PAGE ? page.at(-1)?.id : undefined;
    const releases = page.map((entity) => present(entity));
    return { status: 200, body: { releases, ...(next === undefined ? {} : { next_cursor: next }) } };
  },

  async getRelease({ workspace, by, params }, deps) {
    onlyForPeople(by);
    const key = { workspace, kind: "release", id: params.id, read: true } as const;
    const [found] = await deps.engine.store.load([key]);
    if (found === undefined) throw fail("not_found");
    return { status: 200, body: present(found) };
  },

  async decideRelease(call, deps) {
    const { workspace, by, params, body } = call;
    const { decision } = body;
    const command = { kind: "decide_release", workspace, by, groupId: params.id, decision } as const;
    return {
      status: 200,
      body: present(accepted(await deps.engine.run(command), by)),
    };
  },
} satisfies Routes;

function onlyForPeople(by: Principal): void {
  if (!seesAll(by)) throw fail("not_allowed", "operators see releases");
}

function present({ body }: Entity<Release>) {
  return {
    id: body.id,
    proxy: body.proxy,
    thread_id: body.threadId,
    caller: body.caller,
    state: body.state,
    auto_resume: body.autoResume,
    idempotent: body.idempotent,
    attempt: body.attempt,
    ...(body.error === undefined ? {} : { error: body.error }),
    ...(body.decidedBy === undefined ? {} : { decided_by: body.decidedBy }),
    opened_at: time(body.openedAt),
    changed_at: time(body.changedAt),
  };
}
