/** A person looks at a hold, and begins to fill it in. Neither decides anything (G6). */

import { sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { whySettled } from "./answer.ts";
import type { OpenHold, ProgressHold } from "./commands.ts";
import { type Hold, isOpen, isPast } from "./hold.ts";
import { linkBy } from "./link.ts";
import { about } from "./settle.ts";
import { whatIsDue } from "./tick.ts";
import { sees, whyNotOpen } from "./who.ts";

/** The first opening counts; later ones, and those of a hold that is over, change nothing. */
export function openHold(command: OpenHold, world: World, { now }: Context): Decision {
  const found = findToLook(command, world);
  if ("reply" in found) return found;
  if (isPast(found, now)) return accept("hold", found.id, whatIsDue(found, world, now));
  return accept("hold", found.id, openedOnce(found, command, now));
}

export function progressHold(command: ProgressHold, world: World, { now }: Context): Decision {
  const found = findToLook(command, world);
  if ("reply" in found) return found;
  if (isPast(found, now)) {
    return refuse(refusal("hold_expired", "nobody answered in time"), whatIsDue(found, world, now));
  }
  const settled = whySettled(found);
  if (settled !== null) return refuse(settled);
  // Nobody fills in what they have not seen: the opening is stated first, never skipped.
  const facts: Stated[] = [...openedOnce(found, command, now)];
  const { progress } = command;
  // A page saves as often as somebody types; the log hears of it when they got any further.
  if (found.progressedAt === undefined || (progress !== undefined && !sameJson(progress, found.progress))) {
    facts.push(
      about(
        found,
        { type: "hold.progressed", ...(progress === undefined ? {} : { progress }) },
        now,
        command.by,
      ),
    );
  }
  if (command.draft !== undefined) {
    const session = { holdId: found.id, ...command.draft, savedAt: now };
    facts.push(about(found, { type: "hold.draft_saved", session }, now, command.by));
  }
  return accept("hold", found.id, facts);
}

function findToLook(command: OpenHold | ProgressHold, world: World): Hold | Decision {
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  if (hold === undefined || !sees(hold, command.by, link))
    return refuse(refusal("not_found", "no such hold"));
  const denied = whyNotOpen(hold, link, command.by);
  return denied === null ? hold : refuse(denied);
}

function openedOnce(hold: Hold, command: OpenHold | ProgressHold, now: number): readonly Stated[] {
  if (!isOpen(hold) || hold.openedAt !== undefined) return [];
  return [about(hold, { type: "hold.opened" }, now, command.by)];
}
