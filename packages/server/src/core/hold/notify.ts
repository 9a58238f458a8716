/** People are told in the console: a fact of the hold, so that every console hears of it as of any other. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { whySettled } from "./answer.ts";
import type { NotifyHold } from "./commands.ts";
import { isPast } from "./hold.ts";
import { about } from "./settle.ts";
import { whatIsDue } from "./tick.ts";

export function notifyHold(command: NotifyHold, world: World, { now }: Context): Decision {
  const { holdId, noticeId, attempt, by } = command;
  const hold = world.get("hold", holdId);
  if (hold === undefined) return refuse(refusal("not_found", "no such hold"));
  if (by.role !== "system") return refuse(refusal("not_allowed", "the server alone tells people"));
  if (isPast(hold, now)) {
    return refuse(refusal("hold_expired", "nobody answered in time"), whatIsDue(hold, world, now));
  }
  const settled = whySettled(hold);
  if (settled !== null) return refuse(settled);
  if (hold.notified?.noticeId === noticeId) return accept("hold", hold.id, []);
  return accept("hold", hold.id, [about(hold, { type: "hold.notified", noticeId, attempt }, now, by)]);
}
