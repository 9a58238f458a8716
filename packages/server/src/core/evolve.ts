/** Every entity that a fact changes, and its body afterwards. */

import type { AccessFact } from "./access/facts.ts";
import { coordinatorChanges } from "./coordinator/facts.ts";
import {
  isCoordinatorFact,
  isGroupFact,
  isHoldFact,
  isIntentFact,
  isPortfolioFact,
  isReleaseFact,
  isSkipFact,
  isSubscriptionFact,
  isTallyFact,
  isThreadFact,
  type Stated,
} from "./fact.ts";
import { tallyChange } from "./graph/tally.ts";
import { evolveHold } from "./hold/evolve.ts";
import type { HoldFact } from "./hold/facts.ts";
import type { GroupFact } from "./hold/group-facts.ts";
import { type Hold, holdKeyId, mayHaveDraft } from "./hold/hold.ts";
import { linkId } from "./hold/link.ts";
import type { SubscriptionFact } from "./intent/facts.ts";
import { suspensionLogId } from "./intent/intent.ts";
import { suspensionIdOf } from "./intent/suspension.ts";
import { portfolioChanges } from "./portfolio/facts.ts";
import type { Change, World } from "./world.ts";

export function evolve(world: World, stated: Stated): readonly Change[] {
  const { fact, id, at } = stated;
  if (isHoldFact(fact)) return holdChanges(world, id, fact, at);
  if (isIntentFact(fact)) return [{ kind: "intent", id, body: fact.intent }, ...fact.also];
  if (isTallyFact(fact)) return [tallyChange(world, id, fact)];
  if (isCoordinatorFact(fact)) return coordinatorChanges(fact);
  if (isPortfolioFact(fact)) return portfolioChanges(fact);
  if (isSubscriptionFact(fact)) return subscriptionChanges(fact);
  if (isGroupFact(fact)) return groupChanges(world, id, fact, at);
  if (isReleaseFact(fact)) return [{ kind: "release", id, body: fact.release }];
  if (isSkipFact(fact)) return [{ kind: "skip", id, body: fact.skip }];
  if (isThreadFact(fact)) return [{ kind: "thread", id, body: fact.thread }];
  return accessChanges(fact);
}

function holdChanges(world: World, id: string, fact: HoldFact, at: number): readonly Change[] {
  const before = fact.type === "hold.placed" ? undefined : world.get("hold", id);
  const hold = evolveHold(before, fact, at);
  const changes: Change[] = [{ kind: "hold", id, body: hold }];
  switch (fact.type) {
    case "hold.placed":
      if (hold.key !== undefined) {
        changes.push({ kind: "hold_key", id: holdKeyId(hold.createdBy, hold.key), body: { holdId: id } });
      }
      for (const link of fact.links ?? [])
        changes.push({ kind: "link", id: linkId(id, link.hash), body: link });
      break;
    case "hold.link_made":
    case "hold.link_revoked":
      changes.push({ kind: "link", id: linkId(id, fact.link.hash), body: fact.link });
      break;
    case "hold.draft_saved":
      return [{ kind: "form_session", id, body: fact.session }];
    case "hold.decided":
    case "hold.expired":
    case "hold.cancelled":
      if (mayHaveDraft(hold) && world.get("form_session", id) !== undefined)
        changes.push({ kind: "form_session", id, body: null });
      break;
    case "hold.erased":
      changes.push(...forgetInIntent(world, before as Hold, at), ...forgetRecipients(world, before as Hold));
      break;
  }
  return changes;
}

/** A link stays what an answer came by; whom it was made for goes with the content. */
function forgetRecipients(world: World, { id: holdId, addressed = [] }: Hold): readonly Change[] {
  return addressed.flatMap((hash) => {
    const id = linkId(holdId, hash);
    const link = world.get("link", id);
    if (link === undefined) return [];
    const { recipient: _whom, ...rest } = link;
    return [{ kind: "link", id, body: rest } as const];
  });
}

/** What the intent's log quoted of the hold goes with it; the events stay, with their hashes. */
function forgetInIntent(world: World, hold: Hold, at: number): readonly Change[] {
  if (hold.intentId === undefined) return [];
  const id = suspensionLogId(hold.intentId, suspensionIdOf(hold));
  const log = world.get("suspension_log", id);
  return log === undefined
    ? []
    : [{ kind: "suspension_log", id, body: { ...log, payloads: {}, erasedAt: at } }];
}

function subscriptionChanges({ subscription, type, also }: SubscriptionFact): readonly Change[] {
  const body = type === "subscription.removed" ? null : subscription;
  return [{ kind: "subscription", id: subscription.id, body }, ...also];
}

function groupChanges(world: World, id: string, fact: GroupFact, at: number): readonly Change[] {
  if (fact.type === "group.placed") return [{ kind: "group", id, body: fact.group }];
  const group = world.get("group", id);
  if (group === undefined) throw new Error("group.released about a group that was never placed");
  return [{ kind: "group", id, body: { ...group, releasedAt: at } }];
}

function accessChanges(fact: AccessFact): readonly Change[] {
  switch (fact.type) {
    case "key.made":
    case "key.revoked":
    case "key.secret_rotated":
    case "key.used":
      return [{ kind: "api_key", id: fact.key.id, body: fact.key }];
    case "sign_in.made":
    case "sign_in.used":
      return [{ kind: "sign_in", id: fact.signIn.hash, body: fact.signIn }];
    case "session.started":
    case "session.ended":
      return [{ kind: "session", id: fact.session.hash, body: fact.session }];
    case "person.added":
    case "person.changed":
    case "person.removed":
      return [{ kind: "person", id: fact.person.id, body: fact.person }];
    case "webhook.made":
    case "webhook.changed":
      return [{ kind: "webhook", id: fact.webhook.id, body: fact.webhook }];
    case "webhook.removed":
      return [{ kind: "webhook", id: fact.webhook.id, body: null }];
    case "workspace.changed":
      return [{ kind: "workspace", id: "settings", body: fact.settings }];
    case "signing_key.made":
    case "signing_key.retired":
      return [{ kind: "signing_key", id: fact.key.id, body: fact.key }];
    case "checkpoint.made":
      return [{ kind: "checkpoint", id: fact.checkpoint.id, body: fact.checkpoint }];
  }
}
