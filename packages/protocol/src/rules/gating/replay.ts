/** Replays recorded checks against another set of rules, and counts what would have been different. */

import type { Judge } from "../judge.ts";
import { evaluate } from "./evaluate.ts";
import type { RuleSet, ToolCall, Verdict } from "./rule.ts";

/** How a recorded check ended: what the rules said, and what the person said if one was asked. */
export interface RecordedCheck extends ToolCall {
  readonly id: string;
  readonly at: number;
  readonly verdict: Verdict;
  /** Absent: nobody was asked. */
  readonly decided?: "approved" | "rejected" | "open" | "nobody";
}

export interface ReplayedCase {
  readonly check_id: string;
  readonly agent: string;
  readonly tool: string;
  readonly was: Verdict;
  readonly would_be: Verdict;
  readonly decided?: RecordedCheck["decided"];
  readonly rule: number | null;
}

export interface Replay {
  readonly checks: number;
  /** Checks by what the rules said then and what they would say now, such as `ask_allow`. */
  readonly moves: Readonly<Record<`${Verdict}_${Verdict}`, number>>;
  readonly approved: number;
  readonly approved_then_allowed: number;
  readonly approved_then_denied: number;
  readonly rejected: number;
  readonly rejected_then_allowed: number;
  /** The checks whose verdict would change, the most important ones first, up to a limit. */
  readonly cases: readonly ReplayedCase[];
}

const CASES_MAX = 200;

export function replay(checks: readonly RecordedCheck[], set: RuleSet, judge: Judge): Replay {
  // A set that is only recorded is replayed as if it counted: otherwise there would be nothing to see.
  const enforced: RuleSet = { ...set, mode: "enforce" };
  return sum(checks.map((check) => one(check, enforced, judge)));
}

function one(check: RecordedCheck, set: RuleSet, judge: Judge): Replay {
  const { verdict, index } = evaluate(set, check, judge);
  const { id, agent, tool, decided } = check;
  const changed: ReplayedCase = {
    ...{ check_id: id, agent, tool, was: check.verdict, would_be: verdict, rule: index },
    ...(decided === undefined ? {} : { decided }),
  };
  const isApproved = decided === "approved";
  const isRejected = decided === "rejected";
  return {
    ...NOTHING,
    checks: 1,
    moves: { ...NOTHING.moves, [`${check.verdict}_${verdict}`]: 1 },
    approved: Number(isApproved),
    approved_then_allowed: Number(isApproved && verdict === "allow"),
    approved_then_denied: Number(isApproved && verdict === "deny"),
    rejected: Number(isRejected),
    rejected_then_allowed: Number(isRejected && verdict === "allow"),
    cases: check.verdict === verdict ? [] : [changed],
  };
}

export const NOTHING: Replay = {
  checks: 0,
  moves: {
    ...{ allow_allow: 0, allow_ask: 0, allow_deny: 0 },
    ...{ ask_allow: 0, ask_ask: 0, ask_deny: 0 },
    ...{ deny_allow: 0, deny_ask: 0, deny_deny: 0 },
  },
  approved: 0,
  approved_then_allowed: 0,
  approved_then_denied: 0,
  rejected: 0,
  rejected_then_allowed: 0,
  cases: [],
};

/** Adds up the parts of a replay that was done in pages. */
export function sum(parts: readonly Replay[]): Replay {
  const total = (count: (part: Replay) => number) => parts.reduce((all, part) => all + count(part), 0);
  const moves = Object.keys(NOTHING.moves) as (keyof Replay["moves"])[];
  return {
    checks: total(({ checks }) => checks),
    moves: Object.fromEntries(
      moves.map((move) => [move, total((part) => part.moves[move])]),
    ) as Replay["moves"],
    approved: total(({ approved }) => approved),
    approved_then_allowed: total((part) => part.approved_then_allowed),
    approved_then_denied: total((part) => part.approved_then_denied),
    rejected: total(({ rejected }) => rejected),
    rejected_then_allowed: total((part) => part.rejected_then_allowed),
    cases: parts
      .flatMap(({ cases }) => cases)
      .toSorted((a, b) => weight(b) - weight(a))
      .slice(0, CASES_MAX),
  };
}

/** A call that people rejected and the new rules allow is what an operator must see first. */
function weight({ decided, would_be, was }: ReplayedCase): number {
  if (decided === "rejected" && would_be === "allow") return 3;
  if (decided === "approved" && would_be === "deny") return 2;
  return was === "deny" && would_be === "allow" ? 1 : 0;
}
