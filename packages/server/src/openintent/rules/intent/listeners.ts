/** Limits the subscribers of an intent, and so the number of messages that one change of it creates (G13). */

import { mayOperate } from "../../../kernel/principal.ts";
import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import type { Intent, Watcher } from "./intent.ts";
import type { IntentLog } from "./intent-log.ts";
import { workspaceWatchers } from "./watchers.ts";
import { may } from "./who.ts";

/** The most webhook subscriptions to one intent, to one portfolio, or to all intents of a workspace. */
export const LISTENERS_MAX = 50;
/** The most of those for one subscriber, so that nobody can use up the whole list. */
export const LISTENERS_OF_ONE_MAX = 10;
/** The most of those for all subscribers together who are neither people nor the creator: several of them cannot use it up either. */
export const GUESTS_MAX = LISTENERS_MAX - LISTENERS_OF_ONE_MAX;
/** The most messages one command may create. They are written in one commit, and other commands wait meanwhile. */
export const MESSAGES_MAX = 2_000;

/** The subscribers of an intent, a portfolio or a workspace. A workspace has no creator. */
export interface Listening {
  readonly listeners: readonly Watcher[];
  readonly creator?: string;
}

/** Why this subscriber cannot be added to the list, or `null` if it can. */
export function whyNotListen({ listeners, creator }: Listening, owner: Watcher["owner"]): Failure | null {
  const isGuest = (each: Watcher["owner"]) => !mayOperate(each) && each.name !== creator;
  const guests = listeners.filter((each) => isGuest(each.owner));
  const isFull = listeners.length >= LISTENERS_MAX || (isGuest(owner) && guests.length >= GUESTS_MAX);
  if (isFull) {
    const message = `${listeners.length} webhook subscriptions are already registered here. At most ${LISTENERS_MAX} can be, and ${GUESTS_MAX} of subscribers who are neither people nor the creator. Remove one first.`;
    return failure("too_many", message);
  }
  const own = listeners.filter((each) => each.owner.name === owner.name && each.owner.role === owner.role);
  if (own.length < LISTENERS_OF_ONE_MAX) return null;
  const message = `'${owner.name}' already has ${LISTENERS_OF_ONE_MAX} webhook subscriptions here, which is the maximum for one subscriber. Remove one first.`;
  return failure("too_many", message);
}

/** Whether the subscriber is sent events of the intent: only who may read it. */
export function hears(intent: Intent, { owner, expiresAt = NEVER }: Watcher, now: number): boolean {
  return expiresAt > now && may(intent, owner, "read", now);
}

const NEVER = Number.POSITIVE_INFINITY;

/** The most events about this intent that one command may log. */
export function eventsMax(intent: Intent, world: World, now: number): number {
  const listeners = listenersOf(intent, world).filter((watcher) => hears(intent, watcher, now)).length;
  return Math.max(1, Math.floor(MESSAGES_MAX / Math.max(1, listeners)));
}

/** To subscribers of the intent, of its portfolios, and of the workspace. Portfolios count if the command has loaded them. */
export function listenersOf({ watchers, portfolios = [] }: Intent, world: World): readonly Watcher[] {
  const ofPortfolios = portfolios.flatMap((id) => world.get("portfolio", id)?.watchers ?? []);
  return [...watchers, ...ofPortfolios, ...workspaceWatchers(world)];
}

/** Why a command must not log so many events about the intent, or `null` if it may. `cure` says what the caller can do instead. */
export function whyTooManyEvents(
  events: number,
  { intent, draft, at }: Pick<IntentLog, "intent" | "draft" | "at">,
  cure: string,
): Failure | null {
  const most = eventsMax(intent, draft, at);
  if (events <= most) return null;
  const message = `This would log ${events} events, and each event is sent to every subscriber. With the current subscribers one change may log at most ${most} events. ${cure}, or remove subscriptions.`;
  return failure("too_many", message);
}
