/** Limits the subscribers of an intent, and so the number of messages that one change of it creates (G13). */

import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { Intent, Watcher } from "./intent.ts";
import { workspaceWatchers } from "./watchers.ts";

/** The most webhook subscriptions to one intent, to one portfolio, or to all intents of a workspace. */
export const LISTENERS_MAX = 50;
/** The most of those for one subscriber, so that nobody can use up the whole list. */
export const LISTENERS_OF_ONE_MAX = 10;
/** The most messages one command may create. They are written in one commit, and other commands wait meanwhile. */
export const MESSAGES_MAX = 2_000;

/** Why this subscriber cannot be added to the list, or `null` if it can. */
export function whyNotListen(listeners: readonly Watcher[], owner: Watcher["owner"]): Failure | null {
  if (listeners.length >= LISTENERS_MAX) {
    const message = `${LISTENERS_MAX} webhook subscriptions are already registered here, which is the maximum. Remove one first.`;
    return failure("too_many", message);
  }
  const own = listeners.filter((each) => each.owner.name === owner.name && each.owner.role === owner.role);
  if (own.length < LISTENERS_OF_ONE_MAX) return null;
  const message = `'${owner.name}' already has ${LISTENERS_OF_ONE_MAX} webhook subscriptions here, which is the maximum for one subscriber. Remove one first.`;
  return failure("too_many", message);
}

/** The most events about this intent that one command may log. */
export function eventsMax(intent: Intent, world: World): number {
  return Math.max(1, Math.floor(MESSAGES_MAX / Math.max(1, listenersOf(intent, world))));
}

/** Watchers of its portfolios count if the command has loaded the portfolios. */
function listenersOf({ watchers, portfolios = [] }: Intent, world: World): number {
  const ofPortfolios = portfolios.map((id) => world.get("portfolio", id)?.watchers.length ?? 0);
  const ofAll = workspaceWatchers(world).length;
  return ofPortfolios.reduce((sum, count) => sum + count, watchers.length + ofAll);
}
