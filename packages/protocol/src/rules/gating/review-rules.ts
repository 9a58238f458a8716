/** Names rules that probably do not do what their author wants. Such a set can still be published. */

import { sameJson } from "../same-answer.ts";
import { coversName, meetsName } from "./name-pattern.ts";
import type { GateRule, RuleSet } from "./rule.ts";

export interface RuleWarning {
  /**
   * `unreachable`: an earlier rule matches every call that this one would. `contradictory`: the same calls, with
   * another verdict. `overlapping`: some calls match both, and the earlier rule counts.
   */
  readonly kind: "unreachable" | "contradictory" | "overlapping";
  /** The index of the rule that the warning is about, and of the earlier rule. */
  readonly rule: number;
  readonly because_of: number;
  readonly message: string;
}

const WARNINGS_MAX = 100;

export function reviewRules({ rules }: RuleSet): readonly RuleWarning[] {
  const warnings: RuleWarning[] = [];
  for (const [at, rule] of rules.entries()) {
    for (const [before, earlier] of rules.slice(0, at).entries()) {
      const kind = kindOf(earlier, rule);
      if (kind === null) continue;
      if (warnings.length === WARNINGS_MAX) return warnings;
      warnings.push({ kind, rule: at, because_of: before, message: messageOf(kind, at, before) });
      if (kind !== "overlapping") break;
    }
  }
  return warnings;
}

function kindOf(earlier: GateRule, later: GateRule): RuleWarning["kind"] | null {
  // A rule in shadow mode decides nothing, so it hides nothing.
  if (earlier.mode === "shadow" || later.mode === "shadow") return null;
  const isWider = coversAll(earlier.tools, later.tools) && coversAll(earlier.agents, later.agents);
  const hasSameConditions = sameJson(earlier.when ?? {}, later.when ?? {});
  if (isWider && hasSameConditions)
    return earlier.verdict === later.verdict ? "unreachable" : "contradictory";
  if (isWider && Object.keys(earlier.when ?? {}).length === 0) return "unreachable";
  const meets = meetsSome(earlier.tools, later.tools) && meetsSome(earlier.agents, later.agents);
  return meets && earlier.verdict !== later.verdict && !isNarrowed(earlier, later) ? "overlapping" : null;
}

/** A narrow rule before a wide one is how exceptions are written, so it is no mistake. */
function isNarrowed(earlier: GateRule, later: GateRule): boolean {
  return coversAll(later.tools, earlier.tools) && coversAll(later.agents, earlier.agents);
}

const ANY: readonly string[] = ["*"];

function coversAll(wide = ANY, narrow = ANY): boolean {
  return narrow.every((one) => wide.some((other) => coversName(other, one)));
}

function meetsSome(these = ANY, those = ANY): boolean {
  return these.some((one) => those.some((other) => meetsName(one, other)));
}

function messageOf(kind: RuleWarning["kind"], at: number, before: number): string {
  const [rule, earlier] = [`Rule ${at + 1}`, `rule ${before + 1}`];
  switch (kind) {
    case "unreachable":
      return `${rule} never counts: ${earlier} matches every call that it matches. Remove it or move it up.`;
    case "contradictory":
      return `${rule} never counts: ${earlier} matches the same calls with another verdict. Keep one of them.`;
    case "overlapping":
      return `Some calls match both ${earlier} and ${rule.toLowerCase()}; ${earlier} counts. Check that this is intended.`;
  }
}
