/**
 * Whether people were reached. A rung whose every delivery failed would leave everybody waiting for nothing, so the next rung
 * fires at once, and the hold says that nobody has been reached.
 */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import type { Principal } from "../principal.ts";
import { about } from "./about.ts";
import type { NoteReached, NoteUnreached } from "./commands.ts";
import { findOpenHold } from "./guard.ts";
import type { Hold, Unreached } from "./hold.ts";
import { advance } from "./tick.ts";

const ONLY_THE_SERVER = failure("not_allowed", "only the server itself may record deliveries");

export function noteUnreached(command: NoteUnreached, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  if (!isServer(command.by)) return refuse(ONLY_THE_SERVER);
  const { hold } = found;
  const { delivery, event, siblings, channel, by } = command;
  const { now } = context;
  const before = hold.unreached?.event === event ? hold.unreached.deliveries : [];
  if (before.includes(delivery)) return accept(hold.id);
  const deliveries = [...before, delivery];
  const isLast = siblings.every((id) => deliveries.includes(id));
  const unreached: Unreached = { event, deliveries, ...sinceOf(command, hold, isLast, now) };
  draft.state(about(hold, { type: "hold.delivery_failed", channel, unreached, isLast }, now, by));
  if (isLast) advance(draft.get("hold", hold.id) as Hold, draft, now);
  return accept(hold.id);
}

function sinceOf({ anySent }: NoteUnreached, { unreached }: Hold, isLast: boolean, now: number) {
  if (anySent) return {};
  const since = unreached?.since ?? (isLast ? now : undefined);
  return since === undefined ? {} : { since };
}

export function noteReached(command: NoteReached, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  if (!isServer(command.by)) return refuse(ONLY_THE_SERVER);
  const { hold } = found;
  if (hold.unreached !== undefined)
    draft.state(about(hold, { type: "hold.reached", channel: command.channel }, context.now, command.by));
  return accept(hold.id);
}

function isServer({ role }: Principal): boolean {
  return role === "system";
}
