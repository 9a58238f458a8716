/** Index values of every kind, as declared in `KINDS`. The store calls this for each put. */

import type { ApiKey, Session } from "./access/access.ts";
import type { Coordinator } from "./coordinator/coordinator.ts";
import type { Body, IndexOf, IndexValues } from "./entity.ts";
import type { Group } from "./hold/group.ts";
import { type Hold, holdIndexes } from "./hold/hold.ts";
import { type Intent, intentIndexes } from "./intent/intent.ts";
import type { Subscription } from "./intent/records.ts";
import type { Task } from "./plan/task.ts";
import type { Membership, Portfolio } from "./portfolio/portfolio.ts";
import type { Release } from "./release/release.ts";

const NONE: IndexValues = {};

export const indexOf: IndexOf = (kind, body) => {
  switch (kind) {
    case "hold":
      return holdIndexes(as<Hold>(body));
    case "group":
      return { thread: as<Group>(body).threadId };
    case "release":
      return { state: as<Release>(body).state };
    case "api_key":
    case "session":
      return { name: as<ApiKey | Session>(body).name };
    case "intent":
      return intentIndexes(as<Intent>(body));
    case "task": {
      const { intentId, planId } = as<Task>(body);
      return { intent: intentId, plan: planId };
    }
    case "coordinator": {
      const { intentId, portfolioId } = as<Coordinator>(body);
      return { intent: intentId ?? undefined, portfolio: portfolioId ?? undefined };
    }
    case "plan":
    case "coordinator_decision":
    case "failure":
    case "decision":
    case "intent_checkpoint":
      return { intent: as<{ readonly intentId: string }>(body).intentId };
    case "subscription": {
      const { intentId, portfolioId, owner } = as<Subscription>(body);
      return { intent: intentId, portfolio: portfolioId, owner: owner.name };
    }
    case "portfolio":
      return { creator: as<Portfolio>(body).createdBy };
    case "membership": {
      const { portfolioId, suspended } = as<Membership>(body);
      return { portfolio: portfolioId, suspended: suspended === undefined ? undefined : portfolioId };
    }
    default:
      return NONE;
  }
};

function as<B>(body: Body): B {
  return body as unknown as B;
}
