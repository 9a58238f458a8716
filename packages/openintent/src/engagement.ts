/** Whether to ask at all (RFC-0025 §7): a fixed table over three numbers, so that two agents in the same place decide alike. */

import type { JsonObject } from "@holdpoint/protocol/rules";

export type Signals = {
  /** How sure the agent is, from 0 to 1. */
  readonly confidence?: number;
  readonly risk?: number;
  /** How easily it can be undone. */
  readonly reversibility?: number;
  readonly context?: JsonObject;
};

/** The numbers themselves, or an object that holds them; where both are given, the object counts. */
export interface SignalsGiven extends Signals {
  readonly signals?: Signals | undefined;
}

export type EngagementMode = "autonomous" | "request_input" | "require_input" | "defer";

export type EngagementDecision = {
  readonly mode: EngagementMode;
  readonly should_ask: boolean;
  readonly rationale: string;
  readonly signals: Required<Signals>;
};

/**
 * @example
 * ```ts
 * import { engagementFor } from "@holdpoint/openintent";
 *
 * const { should_ask } = engagementFor({ confidence: 0.4, risk: 0.3, reversibility: 0.9 }); // true
 * ```
 */
export function engagementFor(given: SignalsGiven = {}): EngagementDecision {
  const { confidence = 1, risk = 0, reversibility = 1, context = {} } = given.signals ?? given;
  const signals = {
    confidence: checked("confidence", confidence),
    risk: checked("risk", risk),
    reversibility: checked("reversibility", reversibility),
    context,
  };
  const { mode, rationale } = modeFor(signals);
  return { mode, should_ask: mode === "request_input" || mode === "require_input", rationale, signals };
}

/** The order matters: what must be left to others altogether is not asked about. */
function modeFor({ confidence, risk, reversibility }: Required<Signals>): {
  mode: EngagementMode;
  rationale: string;
} {
  if (confidence >= 0.85 && risk <= 0.2 && reversibility >= 0.5) {
    return { mode: "autonomous", rationale: "sure, harmless and easy to undo" };
  }
  if (risk >= 0.8 || reversibility <= 0.1)
    return { mode: "defer", rationale: "too risky or impossible to undo" };
  if (confidence < 0.5 || risk > 0.5)
    return { mode: "require_input", rationale: "too unsure or too risky to go on alone" };
  return { mode: "request_input", rationale: "a person should have a say" };
}

function checked(name: string, value: number): number {
  if (value >= 0 && value <= 1) return value;
  throw new RangeError(`${name} must lie between 0 and 1, not ${value}`);
}
