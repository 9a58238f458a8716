/** Facts about rules, checks and grants. */

import { isExact } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactTable } from "../domain.ts";
import { must } from "../must.ts";
import type { Change, World } from "../world.ts";
import {
  type AgentChecks,
  type Call,
  type Check,
  exactListId,
  type Grant,
  type RulesVersion,
  rangeListId,
  TOOLS_PER_AGENT_MAX,
  type ToolSeen,
  toolAnswersId,
  toolSeenId,
  versionId,
} from "./gating.ts";

export type GatingFact =
  | { readonly type: "rules.published"; readonly published: RulesVersion; readonly digest: string }
  | {
      readonly type: "check.recorded";
      readonly check: Check;
      /** Stored in the log as a salted digest, also where a hold carries them. */
      readonly args: JsonObject;
      readonly shard: number;
      /** The call whose hold was placed by this check. */
      readonly call?: Call;
    }
  | { readonly type: "check.dropped" }
  | { readonly type: "call.hold_opened"; readonly agent: string }
  | {
      readonly type: "call.hold_ended";
      readonly agent: string;
      readonly tool: string;
      /** Absent: a grant decided, so no person was asked. */
      readonly answered?: AnswerKind;
    }
  | { readonly type: "grant.minted"; readonly grant: Grant }
  | { readonly type: "grant.matched"; readonly isUsed: boolean }
  | { readonly type: "grant.revoked"; readonly by: string };

export type AnswerKind = "approved" | "edited" | "rejected" | "undecided";

export const GATING_FACTS: FactTable<GatingFact> = {
  "rules.published": {
    evolve: (_world, id, { published }) => [
      { kind: "rules", id, body: { version: published.version, source: published.source } },
      { kind: "rules_version", id: versionId(published.version), body: published },
    ],
    log: ({ published: { version, set, source, note }, digest }) => ({
      ...{ version, digest, source, rules: set.rules.length, default: set.default, mode: set.mode },
      ...(note === undefined ? {} : { note }),
    }),
  },
  "check.recorded": {
    evolve: (world, id, { check, shard, call }) => [
      { kind: "check", id, body: check },
      ...(call === undefined ? [] : [{ kind: "call", id: call.id, body: call } as const]),
      ...seen(world, check, shard),
    ],
    log: ({ check }) => ({
      ...{ agent: check.agent, tool: check.tool, verdict: check.verdict, reason: check.reason },
      ...{ rules_version: check.version, rule: check.rule ?? check.index },
      ...(check.shadow === undefined ? {} : { shadow: check.shadow.verdict }),
      ...(check.holdId === undefined ? {} : { hold_id: check.holdId }),
      ...(check.grantId === undefined ? {} : { grant_id: check.grantId }),
      ...(check.localRules === undefined ? {} : { local_rules: check.localRules }),
      ...(check.calls === undefined ? {} : { calls: check.calls.length }),
    }),
    content: ({ check: { calls }, args }) => (calls === undefined ? { args } : { calls: [...calls] }),
  },
  "check.dropped": { evolve: (_world, id) => [{ kind: "check", id, body: null }], log: () => null },
  /** The hold's own events are in the log; these two only count. */
  "call.hold_opened": { evolve: (world, _id, { agent }) => [counted(world, agent, 1)], log: () => null },
  "call.hold_ended": {
    evolve: (world, _id, { agent, tool, answered }) => [
      counted(world, agent, -1),
      ...(answered === undefined ? [] : [answers(world, agent, tool, answered)]),
    ],
    log: () => null,
  },
  "grant.minted": {
    evolve: (world, id, { grant }) => [{ kind: "grant", id, body: grant }, listed(world, grant)],
    log: ({ grant }) => ({
      ...{ agent: grant.agent, tool: grant.tool, uses: grant.uses, hold_id: grant.holdId },
      until: new Date(grant.until).toISOString(),
      minted_by: { kind: grant.mintedBy.kind, id: grant.mintedBy.id },
    }),
    content: ({ grant }) => ({ args: grant.args as JsonObject }),
  },
  "grant.matched": {
    evolve: (world, id, { isUsed }, at) => {
      const grant = existing(world, id);
      const used = isUsed ? { used: grant.used + 1, lastUsedAt: at } : {};
      return [{ kind: "grant", id, body: { ...grant, matched: grant.matched + 1, ...used } }];
    },
    log: ({ isUsed }) => ({ used: isUsed }),
  },
  "grant.revoked": {
    evolve: (world, id, { by }, at) => {
      const grant = { ...existing(world, id), revokedAt: at, revokedBy: by };
      return [{ kind: "grant", id, body: grant }, unlisted(world, grant)];
    },
    log: ({ by }) => ({ by }),
  },
};

function existing(world: World, id: string): Grant {
  const grant = world.get("grant", id);
  if (grant === undefined) throw new Error(`Invariant: a fact about grant ${id}, which was never minted`);
  return grant;
}

export function listIdOf(grant: Pick<Grant, "agent" | "tool" | "args" | "argsDigest">): string {
  const { agent, tool, args, argsDigest } = grant;
  return isExact(args) ? exactListId(agent, tool, argsDigest) : rangeListId(agent, tool);
}

/** Adds the grant to its list and drops those that have run out. */
function listed(world: World, grant: Grant): Change {
  const id = listIdOf(grant);
  const { id: grantId, args, until, mintedAt } = grant;
  const before = world.get("grant_list", id)?.grants ?? [];
  const valid = before.filter((other) => other.until > mintedAt);
  return { kind: "grant_list", id, body: { grants: [...valid, { id: grantId, args, until }] } };
}

function unlisted(world: World, grant: Grant): Change {
  const id = listIdOf(grant);
  const grants = must(world.get("grant_list", id), `grant list ${id}`).grants.filter(
    (other) => other.id !== grant.id,
  );
  return { kind: "grant_list", id, body: grants.length === 0 ? null : { grants } };
}

const NO_CHECKS: AgentChecks = { open: 0, tools: 0 };

function counted(world: World, agent: string, by: 1 | -1): Change {
  const checks = world.get("agent_checks", agent) ?? NO_CHECKS;
  return { kind: "agent_checks", id: agent, body: { ...checks, open: Math.max(0, checks.open + by) } };
}

function answers(world: World, agent: string, tool: string, kind: AnswerKind): Change {
  const id = toolAnswersId(agent, tool);
  const before = world.get("tool_answers", id) ?? {
    agent,
    tool,
    approved: 0,
    edited: 0,
    rejected: 0,
    undecided: 0,
  };
  return { kind: "tool_answers", id, body: { ...before, [kind]: before[kind] + 1 } };
}

/** Counts the check in the coverage of its tool. */
function seen(world: World, check: Check, shard: number): readonly Change[] {
  const { agent, tool, verdict, at, calls } = check;
  const count = calls?.length ?? 1;
  const id = toolSeenId(agent, tool, shard);
  const before = world.get("tool_seen", id);
  const checks = world.get("agent_checks", agent) ?? NO_CHECKS;
  if (before === undefined && checks.tools >= TOOLS_PER_AGENT_MAX) return [];
  const start: ToolSeen = before ?? {
    ...{ agent, tool, calls: 0, allow: 0, ask: 0, deny: 0, granted: 0, shadow: 0, firstAt: at },
    ...last(check),
  };
  const body: ToolSeen = {
    ...start,
    ...last(check),
    calls: start.calls + count,
    [verdict]: start[verdict] + count,
    granted: start.granted + (check.grantId === undefined ? 0 : 1),
    shadow: start.shadow + (check.shadow === undefined ? 0 : 1),
  };
  const row: Change = { kind: "tool_seen", id, body };
  if (before !== undefined) return [row];
  return [row, { kind: "agent_checks", id: agent, body: { ...checks, tools: checks.tools + 1 } }];
}

function last({ at, verdict, index, version }: Check) {
  return { lastAt: at, lastVerdict: verdict, lastRule: index, lastVersion: version };
}
