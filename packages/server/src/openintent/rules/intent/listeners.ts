/** Bounds on who listens to an intent, and so on how many messages one change of it makes (G13). */

import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { Intent, Watcher } from "./intent.ts";
import { workspaceWatchers } from "./watchers.ts";

/** Subscriptions with a webhook to one intent, to one portfolio, or to all intents of a workspace. */
export const LISTENERS_MAX = 50;
/** Of those, subscriptions of one subscriber: nobody can take all the places. */
export const LISTENERS_OF_ONE_MAX = 10;
/** Messages that one command may cause. It writes them in one go, and everybody else waits meanwhile. */
export const MESSAGES_MAX = 2_000;

/** Why this subscriber cannot be one more listener of a list; `null`: it can. */
export function whyNotListen(listeners: readonly Watcher[], owner: Watcher["owner"]): Failure | null {
  if (listeners.length >= LISTENERS_MAX) {
    const message = `${LISTENERS_MAX} webhook subscriptions are registered here already, which is the most there may be. Remove one first.`;
    return failure("too_many", message);
  }
  const own = listeners.filter((each) => each.owner.name === owner.name && each.owner.role === owner.role);
  if (own.length < LISTENERS_OF_ONE_MAX) return null;
  const message = `'${owner.name}' has ${LISTENERS_OF_ONE_MAX} webhook subscriptions here already, which is the most one subscriber may have. Remove one first.`;
  return failure("too_many", message);
}

/** How many events of this intent one command may state. */
export function eventsMax(intent: Intent, world: World): number {
  return Math.max(1, Math.floor(MESSAGES_MAX / Math.max(1, listenersOf(intent, world))));
}

/** Those of its portfolios are counted where the command has loaded them. */
function listenersOf({ watchers, portfolios = [] }: Intent, world: World): number {
  const ofPortfolios = portfolios.map((id) => world.get("portfolio", id)?.watchers.length ?? 0);
  const ofAll = workspaceWatchers(world).length;
  return ofPortfolios.reduce((sum, count) => sum + count, watchers.length + ofAll);
}
