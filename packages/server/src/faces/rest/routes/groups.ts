/** Groups of holds: placed in one commit, read and waited for together, answered in one commit or not at all. */

import { type GroupEntryIn, WAIT_SECONDS_MAX } from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Entity } from "../../../kernel/entity.ts";
import type { GroupEntry, HoldIn } from "../../../kernel/hold/commands.ts";
import { type Group, seesGroup } from "../../../kernel/hold/group.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { freshLink, handedUrl } from "../../http/links.ts";
import { presentHold, time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import { holdInOf, linksOf } from "../map.ts";
import type { Routes } from "../operations.ts";
import { doorOf, refuseTarget } from "./holds.ts";

export const groups = {
  async placeGroup(call, deps) {
    const { workspace, by, body } = call;
    const now = deps.engine.clock.now();
    const tokens: (string | undefined)[] = [];
    const holds: HoldIn[] = body.holds.map((one) => {
      refuseTarget(one.callback_url, deps);
      const fresh = linksOf(one) === "agent" ? freshLink(deps.ids, now, { purpose: "review" }) : undefined;
      tokens.push(fresh?.token);
      return holdInOf(one, undefined, {
        id: `hold_${deps.ids.next(now)}`,
        salt: deps.ids.salt(),
        newLinks: fresh === undefined ? [] : [fresh.link],
      });
    });
    const { thread_id: threadId, run_id: runId } = body;
    const result = await deps.engine.run({
      kind: "place_group",
      workspace,
      by,
      groupId: `group_${deps.ids.next(now)}`,
      holds,
      ...(threadId === undefined ? {} : { threadId }),
      ...(runId === undefined ? {} : { runId }),
    });
    const group = accepted(result, by);
    const isNew = result.ok && result.fresh;
    return { status: isNew ? 201 : 200, body: await presentGroup(group, by, deps, tokens) };
  },

  async getGroup(call, deps) {
    const { workspace, by, params, query } = call;
    const gone = call.gone();
    const group = await visibleGroup(params.id, workspace, by, deps);
    const until = deps.engine.clock.now() + Math.min(query.wait ?? 0, WAIT_SECONDS_MAX) * 1000;
    for (const member of group.body.members) {
      const left = until - deps.engine.clock.now();
      if (left <= 0 || gone.aborted) break;
      await deps.holds.wait(workspace, member, left, gone);
    }
    // A member read above may have brought its own expiry forward, and with it the group's release.
    const settled = await Promise.all(group.body.members.map((member) => deps.holds.get(workspace, member)));
    const now = settled.some((hold: Entity<Hold> | undefined) => hold?.body.status === "open")
      ? group
      : await visibleGroup(params.id, workspace, by, deps);
    return { status: 200, body: await presentGroup(now, by, deps) };
  },

  async answerGroup(call, deps) {
    const { workspace, by, params, body } = call;
    await visibleGroup(params.id, workspace, by, deps);
    const entries = body.entries.map(entryOf);
    const door = doorOf(by, call.header("x-holdpoint-door"));
    const result = await deps.engine.run({
      kind: "answer_group",
      workspace,
      by,
      groupId: params.id,
      entries,
      door,
    });
    return {
      status: 200,
      body: await presentGroup(accepted(result, by), by, deps),
    };
  },
} satisfies Routes;

/** `tokens`: of the new links, in the order of the members, also when the holds already existed. */
async function presentGroup(
  group: Entity<Group>,
  by: Principal,
  deps: RestDeps,
  tokens: readonly (string | undefined)[] = [],
) {
  const { id, members, createdBy, createdAt, threadId, runId, releasedAt } = group.body;
  const holds = await Promise.all(members.map((member) => deps.holds.get(group.workspace, member)));
  const present = (hold: Entity<Hold> | undefined, index: number) => {
    if (hold === undefined) return [];
    const url = handedUrl(deps.publicUrl, hold.body, tokens[index], deps.engine.platform);
    return [presentHold(hold, by, url)];
  };
  return {
    id,
    status: releasedAt === undefined ? "open" : "released",
    created_by: createdBy,
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    ...(runId === undefined ? {} : { run_id: runId }),
    holds: holds.flatMap(present),
    created_at: time(createdAt),
    ...(releasedAt === undefined ? {} : { released_at: time(releasedAt) }),
  };
}

async function visibleGroup(
  id: string,
  workspace: string,
  by: Principal,
  deps: RestDeps,
): Promise<Entity<Group>> {
  const [found] = await deps.engine.store.load([{ workspace, kind: "group", id, read: true }]);
  const group = found;
  if (group === undefined || !seesGroup(group.body, by)) throw fail("not_found");
  return group;
}

function entryOf(entry: GroupEntryIn): GroupEntry {
  const claimed = entry.claimed === undefined ? {} : { claimed: entry.claimed as JsonObject };
  if (entry.kind === "cancel") {
    const { reason } = entry;
    return { holdId: entry.hold_id, ...(reason === undefined ? {} : { reason }), ...claimed };
  }
  const { action, data = {}, shown } = entry;
  return { holdId: entry.hold_id, action, data, ...(shown === undefined ? {} : { shown }), ...claimed };
}
