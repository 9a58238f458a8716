/**
 * Finds an open hold for a command, with the same checks in the same order everywhere: it exists and the caller may
 * see it, it has not expired, and it is not settled. Permission checks of the command itself come after that.
 */

import type { Context } from "../context.ts";
import { type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Principal } from "../principal.ts";
import type { World } from "../world.ts";
import { type Hold, isPast } from "./hold.ts";
import { type Link, linkBy } from "./link.ts";
import { expired, whySettled } from "./settled.ts";
import { stateDue } from "./tick.ts";
import { sees } from "./who.ts";

interface AboutHold {
  readonly holdId: string;
  readonly by: Principal;
  readonly linkHash?: string;
}

export interface Found {
  readonly hold: Hold;
  /** The link that the caller used, if any. */
  readonly link: Link | undefined;
}

/** A hold that the caller may see, whether settled or not. */
export function findHold(command: AboutHold, world: World): Found | undefined {
  const hold = world.get("hold", command.holdId);
  const link = linkBy(command, world);
  return hold === undefined || !sees(hold, command.by, link) ? undefined : { hold, link };
}

export const NO_SUCH_HOLD: Failure = failure(
  "not_found",
  "there is no hold with this id, or this caller may not see it",
);

/** Returns the open hold, or the refusal. A hold whose time has passed expires here, and the expiry is kept (G3). */
export function findOpenHold(command: AboutHold, draft: Draft, context: Context): Found | Reply {
  const found = findHold(command, draft);
  if (found === undefined) return refuse(NO_SUCH_HOLD);
  const { hold } = found;
  if (isPast(hold, context.now)) {
    stateDue(hold, draft, context.now);
    draft.keepSoFar();
    return refuse(expired(hold));
  }
  const settled = whySettled(hold);
  return settled === null ? found : refuse(settled);
}
