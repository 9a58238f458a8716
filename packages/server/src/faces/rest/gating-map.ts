/** Makes commands about rules, checks and grants from requests, and writes their results. */

import type { CheckIn, CheckOut, GrantOut, RulesIn, RulesOut, StandingCallsIn } from "@holdpoint/protocol";
import {
  explainGrantArgs,
  explainRule,
  NO_RULES,
  type RuleSet,
  reviewRules,
} from "@holdpoint/protocol/gating";
import type { CheckCall, RecordStanding } from "../../kernel/gating/commands.ts";
import type { Check, Grant, RulesVersion } from "../../kernel/gating/gating.ts";
import type { Principal } from "../../kernel/principal.ts";
import { canonicalJson } from "../../system/canonical-json.ts";
import { sha256 } from "../../system/digest.ts";
import { time } from "../http/present.ts";
import type { CallDeps } from "./calls/caller.ts";

export function ruleSetOf({
  rules,
  default: byDefault = "ask",
  mode = "enforce",
}: Omit<RulesIn, "note">): RuleSet {
  return { rules: rules as RuleSet["rules"], default: byDefault, mode };
}

export function presentRules(published: RulesVersion | undefined): RulesOut {
  const set = published?.set ?? NO_RULES;
  return {
    version: published?.version ?? 0,
    ...set,
    rules: set.rules as RulesOut["rules"],
    ...(published === undefined
      ? {}
      : {
          source: published.source,
          ...(published.note === undefined ? {} : { note: published.note }),
          published_at: time(published.publishedAt),
          published_by: published.publishedBy,
        }),
    explained: set.rules.map(explainRule),
    warnings: reviewRules(set),
  };
}

/** The digests name the call: the same agent, tool and arguments always give the same ones. */
export function checkCommand(
  body: CheckIn,
  { by, workspace }: { readonly by: Principal; readonly workspace: string },
  { ids, engine, shard }: CallDeps,
): CheckCall {
  const now = engine.clock.now();
  const { tool, args, annotations, session, thread_id, key = "", args_schema, local_rules } = body;
  const argsDigest = sha256(canonicalJson(args));
  const idOf = (...parts: readonly string[]) =>
    sha256(JSON.stringify([by.name, tool, argsDigest, key, ...parts]));
  return {
    kind: "check_call",
    workspace,
    by,
    check: {
      id: `check_${ids.next(now)}`,
      salt: ids.salt(),
      tool,
      args,
      ...(annotations === undefined ? {} : { annotations }),
      ...(session === undefined ? {} : { session }),
      ...(thread_id === undefined ? {} : { threadId: thread_id }),
      ...(args_schema === undefined ? {} : { argsSchema: args_schema }),
      ...(local_rules === undefined ? {} : { localRules: local_rules.digest, atLeast: local_rules.verdict }),
    },
    argsDigest,
    callId: idOf(),
    ...(session === undefined ? {} : { sessionCallId: idOf(session) }),
    hold: { id: `hold_${ids.next(now)}`, salt: ids.salt() },
    shard,
    retainMs: engine.platform.checkRetainMs,
  };
}

export function presentCheck(check: Check): CheckOut {
  const { index, rule: name, shadow, grantId } = check;
  return {
    id: check.id,
    verdict: check.verdict,
    reason: check.reason,
    rule: refOf(index, name),
    rules_version: check.version,
    ...(shadow === undefined ? {} : { shadow: { verdict: shadow.verdict, rule: refOf(shadow.index) } }),
    ...(grantId === undefined ? {} : { grant_id: grantId }),
    agent: check.agent,
    tool: check.tool,
    at: time(check.at),
    ...(check.standingMs === undefined ? {} : { standing_ms: check.standingMs }),
    ...(check.calls === undefined ? {} : { calls: check.calls.length }),
  };
}

export function standingCommand(
  { tool, annotations, rules_version: version, calls, session, local_rules }: StandingCallsIn,
  { by, workspace }: { readonly by: Principal; readonly workspace: string },
  { ids, engine, shard }: CallDeps,
): RecordStanding {
  const check = {
    ...{ id: `check_${ids.next(engine.clock.now())}`, salt: ids.salt(), tool, version, calls },
    ...(annotations === undefined ? {} : { annotations }),
    ...(session === undefined ? {} : { session }),
    ...(local_rules === undefined ? {} : { localRules: local_rules.digest }),
  };
  const retainMs = engine.platform.checkRetainMs;
  return { kind: "record_standing", workspace, by, check, shard, retainMs };
}

export function refOf(index: number | null, name?: string): CheckOut["rule"] {
  if (index === null) return null;
  return name === undefined ? { index } : { index, name };
}

/** `isRuleSame`: whether the rule that asked still stands unchanged. */
export function presentGrant(grant: Grant, now: number, isRuleSame: boolean): GrantOut {
  const { mintedBy } = grant;
  return {
    id: grant.id,
    agent: grant.agent,
    tool: grant.tool,
    args: grant.args,
    explained: explainGrantArgs(grant.args),
    uses: grant.uses,
    used: grant.used,
    until: time(grant.until),
    ...(grant.sampleEvery === undefined ? {} : { sample_every: grant.sampleEvery }),
    state: stateOf(grant, now, isRuleSame),
    hold_id: grant.holdId,
    minted_by: {
      kind: mintedBy.kind,
      id: mintedBy.id,
      ...(mintedBy.name === undefined ? {} : { name: mintedBy.name }),
    },
    minted_at: time(grant.mintedAt),
    ...(grant.lastUsedAt === undefined ? {} : { last_used_at: time(grant.lastUsedAt) }),
    ...(grant.revokedAt === undefined ? {} : { revoked_at: time(grant.revokedAt) }),
    ...(grant.revokedBy === undefined ? {} : { revoked_by: grant.revokedBy }),
  };
}

function stateOf(
  { revokedAt, until, used, uses }: Grant,
  now: number,
  isRuleSame: boolean,
): GrantOut["state"] {
  if (revokedAt !== undefined) return "revoked";
  if (until <= now) return "expired";
  if (used >= uses) return "used_up";
  return isRuleSame ? "active" : "suspended";
}
