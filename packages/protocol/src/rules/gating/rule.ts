/**
 * Gate rules: an operator's rules for tool calls. The server evaluates them for every check, and the MCP gateway
 * evaluates a local file of them, with the same functions.
 */

import type { Json, JsonObject } from "../json.ts";

export const VERDICTS = ["allow", "ask", "deny"] as const;
/** `allow`: the call may run. `ask`: a person decides. `deny`: the call must not run. */
export type Verdict = (typeof VERDICTS)[number];

export const RULE_MODES = ["enforce", "shadow"] as const;
/** `shadow`: the verdict is recorded and has no effect. */
export type RuleMode = (typeof RULE_MODES)[number];

/** What one argument must be. All members that are present must hold. */
export interface ArgCondition {
  readonly equals?: Json;
  readonly in?: readonly Json[];
  readonly min?: number;
  readonly max?: number;
  /** An RE2 pattern that must match somewhere in the text. */
  readonly matches?: string;
  readonly exists?: boolean;
}

/** Who must agree, as when a hold is placed. */
export interface DecisionRule {
  readonly approve: readonly { readonly need: number; readonly from: readonly string[] }[];
  readonly reject?: number;
  readonly exclude?: readonly ("asker" | "owner" | "previous_voters")[];
  readonly strength?: "link" | "account" | "session" | "passkey";
  readonly order?: "any" | "listed";
  readonly max_age?: number;
}

/** What the hold of an `ask` looks like; absent members have the defaults of placing a hold. */
export interface AskSettings {
  readonly decision?: DecisionRule;
  readonly timeout?: string;
  readonly ladder?: readonly JsonObject[];
  /** How often one approval may be executed. */
  readonly uses?: number;
  /** `session`: the same call in another session is a new question. */
  readonly per?: "session";
  /** `false`: people may not allow similar calls in advance. */
  readonly grantable?: boolean;
}

export interface GateRule extends AskSettings {
  readonly name?: string;
  /** Patterns for the tool's name, in which `*` stands for any text. */
  readonly tools: readonly string[];
  /** Patterns for the agent's name; absent: every agent. */
  readonly agents?: readonly string[];
  /** Conditions by path, such as `args.amount`; all of them must hold. */
  readonly when?: Readonly<Record<string, ArgCondition>>;
  readonly verdict: Verdict;
  /** Told to the agent with the verdict. */
  readonly reason?: string;
  readonly mode?: RuleMode;
}

export interface RuleSet {
  readonly rules: readonly GateRule[];
  /** The verdict on calls that no rule matches. */
  readonly default: Verdict;
  readonly mode: RuleMode;
}

export const NO_RULES: RuleSet = { rules: [], default: "ask", mode: "enforce" };

/** One tool call that an agent wants to make. */
export interface ToolCall {
  readonly agent: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Hints of the tool's own server. They may add questions and never remove any. */
  readonly annotations?: JsonObject;
}

export const RULES_MAX = 2_000;
export const CONDITIONS_MAX = 20;
/** Calls under a standing permission that one record may contain. */
export const STANDING_CALLS_MAX = 500;
