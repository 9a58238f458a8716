/** Rules for tool calls, the checks made against them, and the grants that answer checks without a new question. */

import type { DecisionRule, GateRule, GrantArgs, RuleSet, Verdict } from "@holdpoint/protocol/gating";
import { NO_RULES } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import type { By } from "../hold/hold.ts";
import type { World } from "../world.ts";

/** One published set of rules. It never changes; publishing writes the next version. */
export interface RulesVersion {
  readonly version: number;
  readonly set: RuleSet;
  readonly publishedAt: number;
  /** The publisher as written to the log. */
  readonly publishedBy: string;
  readonly source: "config" | "api";
  readonly note?: string;
}

/** Which version counts. The row is small, so that every check can load it. */
export interface CurrentRules {
  readonly version: number;
  readonly source: RulesVersion["source"];
}

export const CURRENT = "current";

/** Ids sort by version. */
export function versionId(version: number): string {
  return `v${String(version).padStart(9, "0")}`;
}

/** One check, as it was made and answered. */
export interface Check {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  /** `null` where a hold carries them: they are erased with the hold. Also `null` where there are `calls`. */
  readonly args: JsonObject | null;
  /** The arguments of each call, where it records calls under a standing permission. */
  readonly calls?: readonly JsonObject[];
  /** For so long every call of the tool is allowed without a check. */
  readonly standingMs?: number;
  readonly annotations?: JsonObject;
  readonly salt: string;
  readonly at: number;
  readonly verdict: Verdict;
  /** What the rules said before an approval, a grant or shadow mode was taken into account. */
  readonly ruled: Verdict;
  /** The index of the rule that matched in this version; `null`: the default. */
  readonly index: number | null;
  readonly rule?: string;
  readonly reason: string;
  readonly version: number;
  readonly shadow?: { readonly verdict: Verdict; readonly index: number | null };
  readonly holdId?: string;
  readonly grantId?: string;
  readonly session?: string;
  readonly threadId?: string;
  /** The digest of a local rules file that the caller evaluated as well. */
  readonly localRules?: string;
  /** The row is deleted at this time; the log keeps the event. */
  readonly dropAt: number;
}

/** One exact call of one agent that people were asked about: the same check again finds the same hold. */
export interface Call {
  readonly id: string;
  readonly agent: string;
  readonly tool: string;
  readonly holdId: string;
  readonly annotations?: JsonObject;
  /** The rules that asked: a change of them counts at the next check and the next claim (G10). */
  readonly version: number;
  readonly ruleDigest: string;
  readonly decision?: DecisionRule;
  /** The digest of the arguments, by which exact grants are found. */
  readonly argsDigest: string;
}

/** What was seen of one tool of one agent. Servers count in shards, so that they do not wait for each other. */
export interface ToolSeen {
  readonly agent: string;
  readonly tool: string;
  readonly calls: number;
  readonly allow: number;
  readonly ask: number;
  readonly deny: number;
  readonly granted: number;
  readonly shadow: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastVerdict: Verdict;
  readonly lastRule: number | null;
  readonly lastVersion: number;
}

export function toolSeenId(agent: string, tool: string, shard: number): string {
  return `${agent}\n${tool}\n${shard}`;
}

/** How many holds the checks of an agent have opened, and how many tools it was seen to use. */
export interface AgentChecks {
  readonly open: number;
  readonly tools: number;
}

/** How people have answered the questions about one tool of one agent. */
export interface ToolAnswers {
  readonly agent: string;
  readonly tool: string;
  readonly approved: number;
  /** Approved with changed arguments. */
  readonly edited: number;
  readonly rejected: number;
  /** Expired or cancelled. */
  readonly undecided: number;
}

export function toolAnswersId(agent: string, tool: string): string {
  return `${agent}\n${tool}`;
}

export interface Grant {
  readonly id: string;
  readonly salt: string;
  readonly agent: string;
  readonly tool: string;
  readonly args: GrantArgs;
  /** Calls that it may still answer are `uses - used`. */
  readonly uses: number;
  readonly used: number;
  readonly until: number;
  /** Every nth matching call is still asked about. */
  readonly sampleEvery?: number;
  readonly matched: number;
  /** The hold that it was made from, and who decided that hold. */
  readonly holdId: string;
  readonly mintedBy: By;
  readonly mintedAt: number;
  /** The rule that asked. If it has changed since, the grant is suspended. */
  readonly ruleDigest: string;
  readonly argsDigest: string;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
  readonly revokedBy?: string;
}

/** The grants that may answer a call: those for exactly these arguments, or those with ranges. */
export interface GrantList {
  readonly grants: readonly Pick<Grant, "id" | "args" | "until">[];
}

/** A list longer than this would slow down every check of that tool. */
export const GRANTS_PER_LIST_MAX = 50;
/** Tools beyond this number are checked like all others and are not listed in the coverage of their agent. */
export const TOOLS_PER_AGENT_MAX = 1_000;

export function exactListId(agent: string, tool: string, argsDigest: string): string {
  return `exact\n${agent}\n${tool}\n${argsDigest}`;
}

export function rangeListId(agent: string, tool: string): string {
  return `range\n${agent}\n${tool}`;
}

/** The rules that count now. */
export function rulesIn(world: World): { readonly version: number; readonly set: RuleSet } {
  const version = world.get("rules", CURRENT)?.version;
  if (version === undefined) return { version: 0, set: NO_RULES };
  return { version, set: world.get("rules_version", versionId(version))?.set ?? NO_RULES };
}

export function ruleAt(set: RuleSet, index: number | null): GateRule | undefined {
  return index === null ? undefined : set.rules[index];
}

/** The digest of the rule that asks, or of the default. */
export function digestOf(set: RuleSet, index: number | null, { digest }: Pick<Context, "digest">): string {
  return digest(ruleAt(set, index) ?? { default: set.default }, "");
}
