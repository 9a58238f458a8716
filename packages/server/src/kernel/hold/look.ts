/** A person opens a hold and starts to fill it in. Neither decides anything (G6). */

import { sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { about } from "./about.ts";
import type { OpenHold, ProgressHold } from "./commands.ts";
import { findHold, findOpenHold, NO_SUCH_HOLD } from "./guard.ts";
import { type Hold, isOpen, isPast } from "./hold.ts";
import { stateDue } from "./tick.ts";
import { whyNotOpen } from "./who.ts";

/** Only the first opening of an open hold is recorded. */
export function openHold(command: OpenHold, draft: Draft, context: Context): Reply {
  const found = findHold(command, draft);
  if (found === undefined) return refuse(NO_SUCH_HOLD);
  const { hold, link } = found;
  const denied = whyNotOpen(hold, link, command.by);
  if (denied !== null) return refuse(denied);
  if (isPast(hold, context.now)) stateDue(hold, draft, context.now);
  else stateOpened(hold, command, draft, context.now);
  return accept(hold.id);
}

export function progressHold(command: ProgressHold, draft: Draft, context: Context): Reply {
  const found = findOpenHold(command, draft, context);
  if ("ok" in found) return found;
  const { hold, link } = found;
  const denied = whyNotOpen(hold, link, command.by);
  if (denied !== null) return refuse(denied);
  const { now } = context;
  // Nobody can fill in a form they have not seen: the opening is always stated first.
  stateOpened(hold, command, draft, now);
  const { progress } = command;
  // A page saves while a person types; the log records only when the progress changes.
  if (hold.progressedAt === undefined || (progress !== undefined && !sameJson(progress, hold.progress))) {
    const fact = { type: "hold.progressed", ...(progress === undefined ? {} : { progress }) } as const;
    draft.state(about(hold, fact, now, command.by));
  }
  if (command.draft !== undefined) {
    const session = { holdId: hold.id, ...command.draft, savedAt: now };
    draft.state(about(hold, { type: "hold.draft_saved", session }, now, command.by));
  }
  return accept(hold.id);
}

function stateOpened(hold: Hold, command: OpenHold | ProgressHold, draft: Draft, now: number): void {
  if (!isOpen(hold) || hold.openedAt !== undefined) return;
  draft.state(about(hold, { type: "hold.opened" }, now, command.by));
}
