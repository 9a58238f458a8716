/** Placing a hold, once per key (G8): the same key finds the same hold, whatever crashed in between. */

import { checkAsk, sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import type { Stated } from "../fact.ts";
import { placeOnIntentNeeds, suspendByHold } from "../intent/suspend.ts";
import { mayBeTold, type Notify } from "../platform.ts";
import { actorText, mayPlace, type Principal } from "../principal.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Need, World } from "../world.ts";
import type { HoldIn, Moment, NewLink, PlaceHold } from "./commands.ts";
import { type Hold, holdKeyId } from "./hold.ts";
import { givesLinksToAsker, isAsker, type Link } from "./link.ts";
import { about } from "./settle.ts";
import { layRungs, type Rung, type RungIn } from "./time.ts";

export function placeNeeds(hold: HoldIn, by: Principal, world: World): readonly Need[] {
  const needs: Need[] = [{ kind: "workspace", id: "settings", read: true }];
  if (hold.previous !== undefined) needs.push({ kind: "hold", id: hold.previous });
  if (hold.intentId !== undefined) needs.push(...placeOnIntentNeeds(hold.intentId, hold.id, world));
  if (hold.key === undefined) return needs;
  const stubId = holdKeyId(by.name, hold.key);
  needs.push({ kind: "hold_key", id: stubId });
  const stub = world.get("hold_key", stubId);
  if (stub !== undefined) needs.push({ kind: "hold", id: stub.holdId });
  return needs;
}

export function placeHold(command: PlaceHold, world: World, context: Context): Decision {
  return placeOne(command.hold, command.by, world, context);
}

export function placeOne(
  input: HoldIn,
  by: Principal,
  world: World,
  context: Context,
  groupId?: string,
): Decision {
  if (!mayPlace(by)) return refuse(refusal("not_allowed", `a key with the role ${by.role} never asks`));
  const found = holdUnderKey(world, by, input.key);
  if (found !== undefined) {
    const again = placedBefore(found, input, by, context);
    if (again !== "next") return again;
  }
  const placed = statePlaced(input, by, world, context, groupId, found);
  if ("code" in placed) return refuse(placed);
  const { hold, facts } = placed;
  const suspended =
    hold.intentId === undefined
      ? []
      : suspendByHold({ ...hold, intentId: hold.intentId }, by, world, context.now);
  return "code" in suspended ? refuse(suspended) : accept("hold", hold.id, [...facts, ...suspended]);
}

/** The new hold and all that is so because of it; what it does to its intent is told by whoever places it. */
export function statePlaced(
  input: HoldIn,
  by: Principal,
  world: World,
  context: Context,
  groupId?: string,
  found?: Hold,
): { readonly hold: Hold; readonly facts: readonly Stated[] } | Refusal {
  const wrong = whyNotPlace(input, by, world, context, found);
  if (wrong !== null) return wrong;
  const hold = newHold(input, by, world, context, groupId);
  const newLinks = hold.links === "agent" ? input.newLinks : [];
  const links = newLinks.map((link) => madeLink(hold, link, by, context.now, "asker"));
  const placed = { type: "hold.placed", hold, ...(links.length === 0 ? {} : { links }) } as const;
  const facts: Stated[] = [about(hold, placed, context.now, by)];
  const previous = input.previous === undefined ? undefined : world.get("hold", input.previous);
  if (previous !== undefined)
    facts.push(about(previous, { type: "hold.followed", next: hold.id }, context.now, by));
  return { hold, facts };
}

export function holdUnderKey(world: World, by: Principal, key: string | undefined): Hold | undefined {
  const stub = key === undefined ? undefined : world.get("hold_key", holdKeyId(by.name, key));
  return stub === undefined ? undefined : world.get("hold", stub.holdId);
}

/** The key is known: the same hold again, a refusal, or leave to open the next one. */
function placedBefore(found: Hold, input: HoldIn, by: Principal, context: Context): Decision | "next" {
  if (input.after === found.id) {
    if (found.status !== "open") return "next";
    return refuse(
      refusal("after_not_settled", "the hold named by `after` is still open", {
        detail: { hold_id: found.id },
      }),
    );
  }
  if (input.after !== found.after || !sameQuestion(found, input)) {
    const message = "this key already belongs to a hold that asks something else";
    return refuse(refusal("key_reused", message, { detail: { hold_id: found.id } }));
  }
  // No raw token is kept, so whoever asks again for an open hold gets a link of its own.
  const isGiven = found.status === "open" && givesLinksToAsker(found, context.platform);
  const links = isGiven ? input.newLinks : [];
  const facts = links.map((link) => linkMade(found, link, by, context.now, "asker"));
  return { facts, reply: { ok: true, kind: "hold", id: found.id, fresh: false } };
}

/** An erased hold can no longer be compared; its key still finds it. */
function sameQuestion(found: Hold, input: HoldIn): boolean {
  if (found.ask === null) return true;
  return (
    sameJson(found.ask, input.ask) && found.intentId === input.intentId && found.threadId === input.threadId
  );
}

function whyNotPlace(
  input: HoldIn,
  by: Principal,
  world: World,
  context: Context,
  found?: Hold,
): Refusal | null {
  if (input.after !== undefined && found === undefined) {
    return refusal("after_not_settled", "`after` names no hold placed under this key");
  }
  if (input.previous !== undefined) {
    const previous = world.get("hold", input.previous);
    if (previous === undefined || (previous.createdBy !== by.name && by.role !== "dev")) {
      return refusal("previous_not_found", "`previous` names no hold of yours");
    }
  }
  const problems = checkAsk(input.ask, context.judge);
  if (problems.length > 0) return refusal("invalid_ask", "the ask cannot be shown as it is", { problems });
  return whyBadTime(input, context.now);
}

function whyBadTime(input: HoldIn, now: number): Refusal | null {
  const expiresAt = input.expires === undefined ? undefined : momentAt(input.expires, now);
  if (expiresAt !== undefined && expiresAt <= now) {
    const problems = [{ key: "timeout", rule: "future", message: "must lie in the future" }];
    return refusal("invalid_ask", "the hold would be over before it began", { problems });
  }
  return null;
}

function newHold(input: HoldIn, by: Principal, world: World, context: Context, groupId?: string): Hold {
  const {
    newLinks: _links,
    expires,
    rungs,
    retainMs = world.get("workspace", "settings")?.retainMs,
    ...rest
  } = input;
  const { now } = context;
  const expiresAt = expires === undefined ? undefined : momentAt(expires, now);
  const intent = rest.intentId === undefined ? undefined : world.get("intent", rest.intentId);
  const moments = rungs.map(({ when, ...rung }) => ({ ...rung, at: momentAt(when, now) }));
  const { notify } = context.platform;
  const links = givesLinksToAsker(input, context.platform) ? "agent" : "server";
  return {
    ...rest,
    links,
    digest: context.digest(input.ask, input.salt),
    status: "open",
    createdBy: by.name,
    creatorKey: by.id,
    ...(by.role === "app" ? { askedByApp: true as const } : {}),
    createdAt: now,
    rungs: layRungs(withFirst(moments, links, notify, now), now, expiresAt).map((rung) =>
      marked(rung, notify),
    ),
    attempt: 1,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(intent?.deadlineAt === undefined ? {} : { deadlineAt: intent.deadlineAt }),
    ...(groupId === undefined ? {} : { groupId }),
    ...(retainMs === undefined ? {} : { retainMs }),
  };
}

/** Where the agent is given no link, people hear of the question through the usual channel, if there is one. */
function withFirst(
  rungs: readonly RungIn[],
  links: Hold["links"],
  { defaultChannel }: Notify,
  now: number,
): readonly RungIn[] {
  const isTold = links === "agent" || defaultChannel === undefined;
  if (isTold || rungs.some(({ kind, at }) => kind === "attempt" && at <= now)) return rungs;
  return [{ at: now, kind: "attempt", channel: defaultChannel }, ...rungs];
}

function marked(rung: Rung, notify: Notify): Rung {
  const { channel = notify.defaultChannel, to } = rung;
  return to === undefined || mayBeTold(notify, channel, to) ? rung : { ...rung, blocked: true };
}

function momentAt(moment: Moment, now: number): number {
  return "at" in moment ? moment.at : now + moment.afterMs;
}

type GivenTo = NonNullable<Link["givenTo"]>;

export function linkMade(hold: Hold, link: NewLink, by: Principal, now: number, givenTo: GivenTo): Stated {
  return about(hold, { type: "hold.link_made", link: madeLink(hold, link, by, now, givenTo) }, now, by);
}

/** G7: what the asker makes or is handed with the placing carries no person, whomever it names. */
function madeLink(
  hold: Hold,
  { recipient, ...link }: NewLink,
  by: Principal,
  now: number,
  givenTo: GivenTo,
): Link {
  const made = { ...link, holdId: hold.id, madeAt: now, madeBy: actorText(by), givenTo };
  return recipient === undefined || isAsker(hold, by) ? made : { ...made, recipient };
}
