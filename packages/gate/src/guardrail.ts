/** Output guardrails: checks of what the model says, before anybody hears it. */

import type { AgentInputItem } from "./items.ts";
import type { RunContext } from "./policy.ts";

export interface GuardrailOutput {
  readonly tripwireTriggered: boolean;
  readonly reason?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface GuardrailInput<TContext = unknown> {
  readonly agentName: string;
  readonly outputText: string;
  readonly history: readonly AgentInputItem[];
  readonly runContext: RunContext<TContext>;
}

/**
 * A named check; a triggered one ends the run with `OutputGuardrailTripwireTriggered`.
 *
 * @example
 * ```ts
 * const noIban: OutputGuardrail = {
 *   name: "no_iban",
 *   execute: ({ outputText }) => ({ tripwireTriggered: /\b[A-Z]{2}\d{20}\b/.test(outputText) }),
 * };
 * ```
 */
export interface OutputGuardrail<TContext = unknown> {
  readonly name: string;
  readonly execute: (input: GuardrailInput<TContext>) => GuardrailOutput | Promise<GuardrailOutput>;
}
