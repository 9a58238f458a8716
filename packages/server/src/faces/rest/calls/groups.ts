/** Groups of holds: placed in one commit, read and waited for together, answered in one commit or not at all. */

import {
  type GroupAnswerIn,
  type GroupEntryIn,
  type GroupIn,
  type GroupOut,
  WAIT_SECONDS_MAX,
} from "@holdpoint/protocol";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Command } from "../../../domains.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { GroupEntry, PlaceGroup } from "../../../kernel/hold/commands.ts";
import { type Group, seesGroup } from "../../../kernel/hold/group.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import { fail } from "../../http/failure.ts";
import { handedUrl } from "../../http/links.ts";
import { time } from "../../http/present.ts";
import { presentHolds } from "../../http/present-many.ts";
import { accepted } from "../errors.ts";
import { type CallDeps, type Caller, doorOf } from "./caller.ts";
import { newHold } from "./holds.ts";

/** The command that places a group: its own, or one of a domain that adds facts to the same commit. */
export type GroupCommand = (
  place: PlaceGroup,
) => Extract<Command, { readonly kind: "place_group" | "place_released_group" }>;

export async function placeGroup(
  caller: Caller,
  { holds, thread_id: threadId, run_id: runId }: GroupIn,
  deps: CallDeps,
  commandFor: GroupCommand = (place) => place,
): Promise<{ readonly group: GroupOut; readonly isNew: boolean }> {
  const { workspace, by } = caller;
  const made = holds.map((place) => newHold(place, undefined, deps));
  const command = commandFor({
    kind: "place_group",
    workspace,
    by,
    groupId: `group_${deps.ids.next(deps.engine.clock.now())}`,
    holds: made.map(({ hold }) => hold),
    ...(threadId === undefined ? {} : { threadId }),
    ...(runId === undefined ? {} : { runId }),
  });
  const result = await deps.engine.run(command);
  const tokens = made.map(({ token }) => token);
  const group = await presentGroup(caller, accepted(result, by), deps, tokens);
  return { group, isNew: result.ok && result.fresh };
}

/** The group as it is after the wait, or as soon as no hold of it is open. `gone` ends the wait. */
export async function getGroup(
  caller: Caller,
  id: string,
  wait: { readonly seconds?: number | undefined; gone(): AbortSignal },
  deps: CallDeps,
): Promise<GroupOut> {
  const { workspace } = caller;
  const { clock } = deps.engine;
  const group = await visibleGroup(caller, id, deps);
  const until = clock.now() + Math.min(wait.seconds ?? 0, WAIT_SECONDS_MAX) * 1000;
  for (const member of group.body.members) {
    const left = until - clock.now();
    if (left <= 0 || wait.gone().aborted) break;
    await deps.holds.wait(workspace, member, left, wait.gone());
  }
  // A member read above may have brought its own expiry forward, and with it the group's release.
  const settled = await Promise.all(group.body.members.map((member) => deps.holds.get(workspace, member)));
  const now = settled.some((hold: Entity<Hold> | undefined) => hold?.body.status === "open")
    ? group
    : await visibleGroup(caller, id, deps);
  return presentGroup(caller, now, deps);
}

export async function answerGroup(
  caller: Caller,
  groupId: string,
  { entries }: GroupAnswerIn,
  door: string | undefined,
  deps: CallDeps,
): Promise<GroupOut> {
  const { workspace, by } = caller;
  await visibleGroup(caller, groupId, deps);
  const result = await deps.engine.run({
    ...({ kind: "answer_group", workspace, by, groupId } as const),
    entries: entries.map(entryOf),
    door: doorOf(caller, door),
  });
  return presentGroup(caller, accepted(result, by), deps);
}

/** `tokens`: of the new links, in the order of the members, also when the holds already existed. */
async function presentGroup(
  { by }: Caller,
  group: Entity<Group>,
  deps: CallDeps,
  tokens: readonly (string | undefined)[] = [],
): Promise<GroupOut> {
  const { id, members, createdBy, createdAt, threadId, runId, releasedAt } = group.body;
  const loaded = await Promise.all(members.map((member) => deps.holds.get(group.workspace, member)));
  const found = loaded.flatMap((hold, at) => (hold === undefined ? [] : [{ hold, token: tokens[at] }]));
  const urls = found.map(({ hold, token }) =>
    handedUrl(deps.publicUrl, hold.body, token, deps.engine.platform),
  );
  return {
    id,
    status: releasedAt === undefined ? "open" : "released",
    created_by: createdBy,
    ...(threadId === undefined ? {} : { thread_id: threadId }),
    ...(runId === undefined ? {} : { run_id: runId }),
    holds: await presentHolds(
      found.map(({ hold }) => hold),
      by,
      urls,
    ),
    created_at: time(createdAt),
    ...(releasedAt === undefined ? {} : { released_at: time(releasedAt) }),
  };
}

async function visibleGroup({ workspace, by }: Caller, id: string, deps: CallDeps): Promise<Entity<Group>> {
  const [group] = await deps.engine.store.load([{ workspace, kind: "group", id, read: true }]);
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
