/** A fact with its frame: about which entity, when, by whom, and who may follow it. */

import type { AccessFact } from "./access/facts.ts";
import { accessLogData } from "./access/facts.ts";
import type { CoordinatorFact } from "./coordinator/facts.ts";
import { coordinatorLogData } from "./coordinator/facts.ts";
import type { Kind } from "./entity.ts";
import type { TallyFact } from "./graph/tally.ts";
import type { HoldFact } from "./hold/facts.ts";
import { holdLogData, outcomeContent, placedContent } from "./hold/facts.ts";
import type { GroupFact } from "./hold/group-facts.ts";
import { groupLogData } from "./hold/group-facts.ts";
import type { IntentFact, SubscriptionFact } from "./intent/facts.ts";
import { intentLogData, subscriptionLogData } from "./intent/facts.ts";
import type { PortfolioFact } from "./portfolio/facts.ts";
import type { Fact } from "./record.ts";
import { type ReleaseFact, releaseLogData } from "./release/release.ts";
import { type SkipFact, skipLogData } from "./skip/skip.ts";
import type { ThreadFact } from "./thread/thread.ts";

export type Happening =
  | HoldFact
  | GroupFact
  | AccessFact
  | IntentFact
  | SubscriptionFact
  | ThreadFact
  | ReleaseFact
  | SkipFact
  | TallyFact
  | PortfolioFact
  | CoordinatorFact;

export interface Stated {
  readonly kind: Kind;
  readonly id: string;
  readonly fact: Happening;
  readonly at: number;
  readonly actor: string;
  readonly audience?: string;
}

/** As the log keeps it; `null`: not for the log. */
export function describe(stated: Stated, workspace: string): Fact | null {
  const data = logData(stated.fact);
  if (data === null) return null;
  const content = contentOf(stated.fact);
  return {
    workspace,
    stream: `${stated.kind}:${stated.id}`,
    type: stated.fact.type === "intent.told" ? stated.fact.entry.type : stated.fact.type,
    at: stated.at,
    actor: stated.actor,
    ...(stated.audience === undefined ? {} : { audience: stated.audience }),
    data,
    ...(content === undefined ? {} : { content }),
  };
}

function logData(fact: Happening) {
  if (isHoldFact(fact)) return holdLogData(fact);
  if (isIntentFact(fact)) return intentLogData(fact);
  if (isSubscriptionFact(fact)) return subscriptionLogData(fact);
  if (isPortfolioFact(fact)) return fact.data;
  if (isCoordinatorFact(fact)) return coordinatorLogData(fact);
  if (isGroupFact(fact)) return groupLogData(fact);
  if (isReleaseFact(fact)) return releaseLogData(fact);
  if (isSkipFact(fact)) return skipLogData(fact);
  // What an app keeps for itself explains no outcome, and may be forgotten at any time.
  if (isThreadFact(fact) || isTallyFact(fact)) return null;
  return accessLogData(fact);
}

function contentOf(fact: Happening) {
  if (fact.type === "intent.told") return fact.entry.keptWith === undefined ? undefined : fact.entry.payload;
  if (fact.type === "hold.placed") return placedContent(fact.hold);
  if (fact.type === "hold.decided" || fact.type === "hold.expired" || fact.type === "hold.cancelled") {
    return outcomeContent(fact.outcome);
  }
  return undefined;
}

export function isIntentFact(fact: Happening): fact is IntentFact {
  return fact.type.startsWith("intent.");
}

export function isSubscriptionFact(fact: Happening): fact is SubscriptionFact {
  return fact.type.startsWith("subscription.");
}

export function isHoldFact(fact: Happening): fact is HoldFact {
  return fact.type.startsWith("hold.");
}

export function isGroupFact(fact: Happening): fact is GroupFact {
  return fact.type.startsWith("group.");
}

export function isTallyFact(fact: Happening): fact is TallyFact {
  return fact.type.startsWith("tally.");
}

export function isPortfolioFact(fact: Happening): fact is PortfolioFact {
  return fact.type.startsWith("portfolio.");
}

export function isCoordinatorFact(fact: Happening): fact is CoordinatorFact {
  return fact.type.startsWith("coordinator.");
}

export function isThreadFact(fact: Happening): fact is ThreadFact {
  return fact.type.startsWith("thread.");
}

export function isReleaseFact(fact: Happening): fact is ReleaseFact {
  return fact.type.startsWith("release.");
}

export function isSkipFact(fact: Happening): fact is SkipFact {
  return fact.type.startsWith("skip.");
}
