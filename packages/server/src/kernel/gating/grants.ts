/** Grants: a person allows similar calls in advance. */

import { grantArgs, matchesGrant } from "@holdpoint/protocol/gating";
import { type Ask, isGranting, type JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { GrantTerms } from "../hold/commands.ts";
import type { Hold, Outcome } from "../hold/hold.ts";
import { must } from "../must.ts";
import { actorText, mayOperate, type Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import type { Asked } from "./ask.ts";
import { argsOf } from "./ask.ts";
import type { CheckCall, RevokeGrant } from "./commands.ts";
import { isBySelf } from "./earlier.ts";
import { listIdOf } from "./facts.ts";
import { type Call, exactListId, GRANTS_PER_LIST_MAX, type Grant, rangeListId } from "./gating.ts";
import { isValid } from "./granted.ts";

/** The first grant that may answer this call now. */
export function usableGrant(
  { by, check, argsDigest }: CheckCall,
  asked: Asked,
  world: World,
  { now }: Context,
): Grant | undefined {
  if (asked.rule?.grantable === false) return undefined;
  const lists = [exactListId(by.name, check.tool, argsDigest), rangeListId(by.name, check.tool)];
  const entries = lists.flatMap((id) => world.get("grant_list", id)?.grants ?? []);
  return entries
    .filter(({ args }) => matchesGrant(args, check.args))
    .map(({ id }) => must(world.get("grant", id), `grant ${id}`))
    .find((grant) => grant.used < grant.uses && isValid(grant, asked.ruleDigest, now));
}

/** What minting changes, besides the hold. */
export function mintNeeds({ agent, tool, argsDigest }: Call): readonly Need[] {
  return [
    { kind: "grant_list", id: exactListId(agent, tool, argsDigest) },
    { kind: "grant_list", id: rangeListId(agent, tool) },
  ];
}

/** Why these terms cannot be granted with this answer; `null` if they can. */
export function whyNotGrant(
  hold: Hold,
  action: string,
  data: JsonObject,
  terms: GrantTerms,
  world: World,
  { now, platform }: Context,
): Failure | null {
  const call = hold.call === undefined ? undefined : world.get("call", hold.call.id);
  if (call === undefined || hold.ask === null)
    return failure(
      "not_grantable",
      "this hold was not placed by a check, so there are no similar calls to allow",
    );
  if (call.holdId !== hold.id)
    return failure(
      "not_grantable",
      "the rules have changed and this call was asked about again; allow similar calls in the newer question",
    );
  if (hold.grantable === false)
    return failure("not_grantable", "the rule that asks does not let people allow similar calls in advance");
  // A passkey signs one exact answer to one exact call.
  if (hold.decision?.strength === "passkey")
    return failure("not_grantable", "a decision that needs a passkey is for this call only");
  if (!isGranting(hold.ask, action))
    return failure("not_grantable", "similar calls can be allowed only together with an approval");
  if (data["edited_args"] !== undefined)
    return failure("not_grantable", "an approval with changed arguments cannot allow similar calls");
  const until = untilOf(terms, now);
  if (until <= now)
    return failure("not_grantable", "the grant would end before it begins; choose a later time");
  if (until - now > platform.grantMaxMs)
    return failure(
      "grant_too_long",
      `a grant may last at most ${platform.grantMaxMs / 86_400_000} days here`,
    );
  const args = grantArgs(argsOf(hold.ask), terms.args ?? {});
  if (Array.isArray(args))
    return failure("not_grantable", "the terms do not fit the call", { problems: args });
  const listId = listIdOf({ ...call, args: args as Grant["args"] });
  const valid = (world.get("grant_list", listId)?.grants ?? []).filter((grant) => grant.until > now);
  if (valid.length >= GRANTS_PER_LIST_MAX)
    return failure(
      "not_grantable",
      `${valid.length} grants for this tool are valid already; revoke some first`,
    );
  return null;
}

function untilOf(terms: GrantTerms, now: number): number {
  return "at" in terms.until ? terms.until.at : now + terms.until.afterMs;
}

/** States the grant that an answer carries. `whyNotGrant` has checked it before the hold was settled. */
export function mint(call: Call, hold: Hold, outcome: Outcome, draft: Draft, by: Principal): void {
  if (outcome.kind !== "decided" || outcome.grant === undefined || isBySelf({ ...hold, outcome })) return;
  const { id, salt, args = {}, uses = 1, sampleEvery } = outcome.grant;
  const grant: Grant = {
    id,
    salt,
    agent: call.agent,
    tool: call.tool,
    args: grantArgs(argsOf(hold.ask as Ask), args) as Grant["args"],
    uses,
    used: 0,
    matched: 0,
    until: untilOf(outcome.grant, outcome.at),
    ...(sampleEvery === undefined ? {} : { sampleEvery }),
    holdId: hold.id,
    mintedBy: outcome.by,
    mintedAt: outcome.at,
    ruleDigest: call.ruleDigest,
    argsDigest: call.argsDigest,
  };
  const fact = { type: "grant.minted", grant } as const;
  draft.state({ kind: "grant", id, fact, at: outcome.at, actor: actorText(by), audience: call.agent });
}

export function revokeNeeds({ grantId }: RevokeGrant, world: World): readonly Need[] {
  const grant = world.get("grant", grantId);
  const needs: Need[] = [{ kind: "grant", id: grantId }];
  return grant === undefined ? needs : [...needs, { kind: "grant_list", id: listIdOf(grant) }];
}

/** A revoked grant stays revoked. */
export function revokeGrant({ by, grantId }: RevokeGrant, draft: Draft, { now }: Context): Reply {
  const grant = draft.get("grant", grantId);
  if (!mayOperate(by))
    return refuse(
      failure("not_allowed", `a key with the role ${by.role} may not revoke grants; use an operator key`),
    );
  if (grant === undefined)
    return refuse(failure("not_found", `There is no grant ${grantId} in this workspace.`));
  if (grant.revokedAt !== undefined) return { ok: true, id: grantId, fresh: false };
  const fact = { type: "grant.revoked", by: actorText(by) } as const;
  draft.state({ kind: "grant", id: grantId, fact, at: now, actor: actorText(by), audience: grant.agent });
  return accept(grantId);
}
