/**
 * The core's three questions, asked by the engine and nobody else: what does a command need to see, what does it come to,
 * and (in `evolve.ts`) what is so afterwards.
 */

import type { AccessCommand } from "./access/commands.ts";
import { accessNeeds, decideAccess } from "./access/decide.ts";
import type { Context } from "./context.ts";
import type { Decision } from "./decision.ts";
import type { HoldCommand } from "./hold/commands.ts";
import { decideHold, holdNeeds } from "./hold/decide.ts";
import type { Need, World } from "./world.ts";

export type Command = HoldCommand | AccessCommand;

/** Asked again with what was loaded until it names nothing new. */
export function needs(command: Command, world: World): readonly Need[] {
  return isHoldCommand(command) ? holdNeeds(command, world) : accessNeeds(command);
}

export function decide(command: Command, world: World, context: Context): Decision {
  return isHoldCommand(command) ? decideHold(command, world, context) : decideAccess(command, world, context);
}

const HOLD_COMMANDS: ReadonlySet<string> = new Set<HoldCommand["kind"]>([
  "place_hold",
  "place_group",
  "answer_hold",
  "answer_group",
  "cancel_hold",
  "open_hold",
  "progress_hold",
  "tick_hold",
  "make_link",
  "revoke_link",
  "claim_hold",
  "finish_claim",
  "release_claim",
  "revoke_hold",
  "erase_hold",
]);

function isHoldCommand(command: Command): command is HoldCommand {
  return HOLD_COMMANDS.has(command.kind);
}
