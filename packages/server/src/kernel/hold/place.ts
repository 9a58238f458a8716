/** Places a hold, once per key (G8): placing again under the same key finds the same hold, even after a crash. */

import { checkAsk, sameJson } from "@holdpoint/protocol/rules";
import { attachmentOf, rulesOf } from "../attachment.ts";
import type { Context } from "../context.ts";
import type { Decision, DecisionIn } from "../decision/decision.ts";
import { freezeDecision, freezeNeeds, USUAL_RULE } from "../decision/freeze.ts";
import { accept, type Draft, type FactRecord, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { mayBeTold, type Notify, retentionOf } from "../platform.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { about } from "./about.ts";
import { afterBusiness, type BusinessHours, USUAL_HOURS } from "./business-hours.ts";
import type { HoldIn, Moment, NewLink, PlaceHold } from "./commands.ts";
import type { HoldFact } from "./facts.ts";
import { type Hold, holdKeyId } from "./hold.ts";
import { givesLinksToAsker, isAsker, type Link } from "./link.ts";
import { routeNeeds } from "./route.ts";
import { layRungs, type Rung, type RungIn } from "./time.ts";

export function placeNeeds(hold: HoldIn, by: Principal, world: World): readonly Need[] {
  const needs: Need[] = [{ kind: "workspace", id: "settings", read: true }];
  if (hold.previous !== undefined) needs.push({ kind: "hold", id: hold.previous });
  if (hold.decision !== undefined)
    needs.push(...freezeNeeds(hold.decision, by, roundBefore(hold, world), world));
  if (hold.rungs.length > 0)
    needs.push(
      ...routeNeeds(
        hold.rungs.map(({ to }) => to),
        world,
      ),
    );
  const attached = rulesOf(hold.attachedTo, world);
  if (attached !== undefined) needs.push(...attached.rules.placeNeeds(attached.id, hold.id, world));
  if (hold.key === undefined) return needs;
  const stubId = holdKeyId(by.name, hold.key);
  needs.push({ kind: "hold_key", id: stubId });
  const stub = world.get("hold_key", stubId);
  if (stub !== undefined) needs.push({ kind: "hold", id: stub.holdId });
  return needs;
}

export function placeHold(command: PlaceHold, draft: Draft, context: Context): Reply {
  return placeOne(command.hold, command.by, draft, context);
}

export function placeOne(
  input: HoldIn,
  by: Principal,
  draft: Draft,
  context: Context,
  groupId?: string,
): Reply {
  if (!mayPlace(by))
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not place holds; use an agent or app key`),
    );
  const found = holdUnderKey(draft, by, input.key);
  if (found !== undefined) {
    const again = placedBefore(found, input, by, draft, context);
    if (again !== "next") return again;
  }
  const hold = statePlaced(input, by, draft, context, groupId, found);
  if ("code" in hold) return refuse(hold);
  const attached = rulesOf(input.attachedTo, draft);
  const denied = attached?.rules.placed(attached.id, hold, by, draft, context.now) ?? null;
  return denied === null ? accept(hold.id) : refuse(denied);
}

/** States the new hold. The caller states what follows for the entity that the hold is attached to. */
export function statePlaced(
  input: HoldIn,
  by: Principal,
  draft: Draft,
  context: Context,
  groupId?: string,
  found?: Hold,
): Hold | Failure {
  const wrong = whyNotPlace(input, by, draft, context, found);
  if (wrong !== null) return wrong;
  const decision = frozen(input, by, draft);
  if (decision !== undefined && "code" in decision) return decision;
  const hold = newHold(input, by, draft, context, groupId, decision);
  const links = handedLinks(input, hold.links === "agent").map((link) =>
    madeLink(hold, link, by, context.now, "asker"),
  );
  const attached = rulesOf(input.attachedTo, draft);
  const attachedTo = attached?.rules.isNamed === true ? input.attachedTo : undefined;
  const placed = {
    type: "hold.placed",
    hold,
    ...(links.length === 0 ? {} : { links }),
    ...(attachedTo === undefined ? {} : { attachedTo }),
  } as const;
  draft.state(about(hold, placed, context.now, by));
  const previous = roundBefore(input, draft);
  if (previous !== undefined)
    draft.state(about(previous, { type: "hold.followed", next: hold.id }, context.now, by));
  return hold;
}

/** A token that only reads is given to every asker that wants one, also after the hold has ended: it cannot answer (G7). */
function handedLinks({ newLinks }: HoldIn, isGiven: boolean): readonly NewLink[] {
  return isGiven ? newLinks : newLinks.filter(({ purpose }) => purpose === "read");
}

function frozen(input: HoldIn, by: Principal, world: World): Decision | Failure | undefined {
  const { decision } = input;
  return decision === undefined ? undefined : freezeDecision(decision, by, roundBefore(input, world), world);
}

function roundBefore({ previous }: HoldIn, world: World): Hold | undefined {
  return previous === undefined ? undefined : world.get("hold", previous);
}

export function holdUnderKey(world: World, by: Principal, key: string | undefined): Hold | undefined {
  const stub = key === undefined ? undefined : world.get("hold_key", holdKeyId(by.name, key));
  return stub === undefined ? undefined : world.get("hold", stub.holdId);
}

/** The key is already known: return the same hold, refuse, or return "next" to open the next hold under this key. */
function placedBefore(
  found: Hold,
  input: HoldIn,
  by: Principal,
  draft: Draft,
  { now, platform }: Context,
): Reply | "next" {
  if (input.after === found.id) {
    if (found.status !== "open") return "next";
    return refuse(
      failure("after_not_settled", "the hold named by `after` is still open; wait until it has ended", {
        detail: { hold_id: found.id },
      }),
      found.id,
    );
  }
  if (input.after !== found.after || !sameQuestion(found, input, draft)) {
    const message = "this key already belongs to a hold that asks something else; use another key";
    return refuse(failure("key_reused", message, { detail: { hold_id: found.id } }), found.id);
  }
  // No raw token is stored, so a caller that places an open hold again gets a new link.
  const isGiven = found.status === "open" && givesLinksToAsker(found, platform);
  for (const link of handedLinks(input, isGiven)) draft.state(linkMade(found, link, by, now, "asker"));
  return { ok: true, id: found.id, fresh: false };
}

/** An erased hold can no longer be compared with the new ask; its key still finds it. */
function sameQuestion(found: Hold, input: HoldIn, world: World): boolean {
  if (found.ask === null) return true;
  const attached = attachmentOf(found, world);
  return (
    sameJson(found.ask, input.ask) &&
    isSameRule(found.decision, input.decision) &&
    attached?.domain === input.attachedTo?.domain &&
    attached?.id === input.attachedTo?.id &&
    found.threadId === input.threadId
  );
}

/** Whether the rule is the one that was frozen, apart from members that were left out and have their usual value. */
function isSameRule(frozen: Decision | undefined, rule: DecisionIn | undefined): boolean {
  if (frozen === undefined || rule === undefined) return frozen === rule;
  const { excluded: _people, ...before } = frozen;
  return sameJson(before, { ...before, ...USUAL_RULE, ...rule });
}

function whyNotPlace(
  input: HoldIn,
  by: Principal,
  world: World,
  context: Context,
  found?: Hold,
): Failure | null {
  if (input.after !== undefined && found === undefined) {
    return failure("after_not_settled", "`after` does not name a hold that was placed under this key");
  }
  if (input.previous !== undefined) {
    const previous = world.get("hold", input.previous);
    if (previous === undefined || (previous.createdBy !== by.name && by.role !== "dev")) {
      return failure("previous_not_found", "`previous` does not name a hold that you placed");
    }
  }
  const problems = checkAsk(input.ask, context.judge);
  const [first] = problems;
  if (first !== undefined) {
    return failure("invalid_ask", `the ask cannot be shown: ${first.key}: ${first.message}`, { problems });
  }
  return whyBadTime(input, context.now);
}

function whyBadTime(input: HoldIn, now: number): Failure | null {
  const expiresAt = input.expires === undefined ? undefined : momentAt(input.expires, now);
  if (expiresAt !== undefined && expiresAt <= now) {
    const problems = [{ key: "timeout", rule: "future", message: "must be in the future" }];
    return failure("invalid_ask", "the hold would expire as soon as it is placed", { problems });
  }
  return null;
}

function newHold(
  input: HoldIn,
  by: Principal,
  world: World,
  context: Context,
  groupId: string | undefined,
  decision: Decision | undefined,
): Hold {
  const {
    newLinks: _links,
    quiet = false,
    decision: _rule,
    expires,
    rungs,
    attachedTo,
    retainMs = retentionOf(context.platform, world.get("workspace", "settings")),
    ...rest
  } = input;
  const { now } = context;
  const expiresAt = expires === undefined ? undefined : momentAt(expires, now);
  const attached = rulesOf(attachedTo, world);
  const deadlineAt = attached?.rules.deadlineOf(attached.id, world);
  const moments = rungs.map(({ when, ...rung }) => ({
    ...rung,
    at: momentAt(when, now, context.platform.hours),
  }));
  const { notify } = context.platform;
  const links = givesLinksToAsker(input, context.platform) ? "agent" : "server";
  return {
    ...rest,
    links,
    ...attached?.rules.fieldsOf(attached.id),
    digest: context.digest(input.ask, input.salt),
    status: "open",
    createdBy: by.name,
    creatorKey: by.id,
    ...(by.role === "app" ? { askedByApp: true as const } : {}),
    createdAt: now,
    rungs: quiet
      ? []
      : layRungs(withFirstAttempt(moments, links, notify, now, decision), now, expiresAt).map((rung) =>
          withBlockedMark(rung, notify),
        ),
    attempt: 1,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(decision === undefined ? {} : { decision }),
    ...(retainMs === undefined ? {} : { retainMs }),
  };
}

/** If the agent receives no link, people are notified through the default channel, if one is configured. */
function withFirstAttempt(
  rungs: readonly RungIn[],
  links: Hold["links"],
  { defaultChannel }: Notify,
  now: number,
  decision?: Decision,
): readonly RungIn[] {
  const isNotNeeded = links === "agent" || defaultChannel === undefined;
  if (isNotNeeded || rungs.some(({ kind, at }) => kind === "attempt" && at <= now)) return rungs;
  const first = { at: now, kind: "attempt" } as const;
  // People of a decision are told by the channel that each of them prefers.
  const usual = decision === undefined ? { channel: defaultChannel } : {};
  return [...askedFirst(decision).map((to) => ({ ...first, ...usual, ...to })), ...rungs];
}

/** A decision asks the people of its stages; in listed order those of the first stage. */
function askedFirst(decision: Decision | undefined): readonly { readonly to?: string }[] {
  if (decision === undefined) return [{}];
  const stages = decision.order === "listed" ? decision.approve.slice(0, 1) : decision.approve;
  return [...new Set(stages.flatMap(({ from }) => from))].map((to) => ({ to }));
}

function withBlockedMark(rung: Rung, notify: Notify): Rung {
  const { channel = notify.defaultChannel, to } = rung;
  return to === undefined || mayBeTold(notify, channel, to) ? rung : { ...rung, blocked: true };
}

function momentAt(moment: Moment, now: number, hours: BusinessHours = USUAL_HOURS): number {
  if ("at" in moment) return moment.at;
  return moment.isBusiness === true ? afterBusiness(now, moment.afterMs, hours) : now + moment.afterMs;
}

type GivenTo = NonNullable<Link["givenTo"]>;

export function linkMade(
  hold: Hold,
  link: NewLink,
  by: Principal,
  now: number,
  givenTo: GivenTo,
): FactRecord<HoldFact> {
  return about(hold, { type: "hold.link_made", link: madeLink(hold, link, by, now, givenTo) }, now, by);
}

/** G7: a link that the asker makes, or receives when placing, carries no person, no matter whom it names. */
function madeLink(
  hold: Hold,
  { recipient, personId, ...link }: NewLink,
  by: Principal,
  now: number,
  givenTo: GivenTo,
): Link {
  const made = { ...link, holdId: hold.id, madeAt: now, madeBy: actorText(by), givenTo };
  if (recipient === undefined || isAsker(hold, by)) return made;
  return { ...made, recipient, ...(personId === undefined ? {} : { personId }) };
}
