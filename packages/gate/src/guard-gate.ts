/** Judges a guarded call and, when it is allowed, executes it with what was judged. */

import type { BlockedEnvelope } from "./envelope.ts";
import { blockedEnvelope } from "./envelope.ts";
import type { AllowedCall, Fence } from "./fence.ts";
import { throughFence } from "./fence.ts";
import type { BlockedMode } from "./guard.ts";
import type { ProposedTool, Verdict } from "./judge.ts";
import { blockedError, judge, refuse } from "./judge.ts";
import { logWriter } from "./log.ts";
import { notPlainJson } from "./plain-json.ts";
import type { ToolPolicy } from "./policy.ts";
import type { SuspensionChannels } from "./trace.ts";
import { createTrace } from "./trace.ts";

export interface GuardOptions<TContext, Blocked extends BlockedMode> extends SuspensionChannels {
  /** Whose proposals these are; part of their hash. `agent` when absent. */
  readonly agentName?: string;
  /** `throw` when absent. */
  readonly blocked?: Blocked;
  /** Asked for each call; the only way for evidence to reach the policy. */
  readonly context?: () => TContext | Promise<TContext>;
  readonly runId?: string;
  readonly fence?: Fence;
  /** Epoch milliseconds; the system clock when absent. */
  readonly now?: () => number;
}

export interface GuardedCall {
  readonly toolName: string;
  readonly callId: string | undefined;
  /** One value, or the list of a function's arguments. */
  readonly proposed: unknown;
}

export type GuardedOutcome<Output> =
  | { readonly kind: "executed"; readonly output: Output }
  | { readonly kind: "blocked"; readonly envelope: BlockedEnvelope };

export interface Gate {
  /** Whether something waits for the end of each execution. */
  readonly fenced: boolean;
  pass<Output>(
    call: GuardedCall,
    execute: (judged: unknown) => Output | Promise<Output>,
  ): Promise<GuardedOutcome<Output>>;
}

export function createGate<TContext, Blocked extends BlockedMode>(
  policy: ToolPolicy<TContext>,
  options: GuardOptions<TContext, Blocked>,
): Gate {
  const {
    agentName = "agent",
    runId = crypto.randomUUID(),
    now = Date.now,
    fence,
    blocked = "throw",
  } = options;
  const unrecorded = { keeps: false, decided: () => {}, suspended: () => {} };
  const trace = createTrace(options, logWriter(options.logger, now), unrecorded);
  return {
    fenced: fence !== undefined,
    pass: async ({ toolName, callId = crypto.randomUUID(), proposed }, execute) => {
      const site = { kind: "tool", runId, turn: 1, callId, agentName } as const;
      const stray = notPlainJson(proposed);
      const rawArguments = stray === null ? JSON.stringify(proposed) : "";
      const call: ProposedTool = { ...site, toolName, rawArguments };
      if (stray !== null) {
        const denied = await refuse(call, "arguments_not_plain_json", trace, { at: stray });
        throw blockedError(call, denied, undefined);
      }
      // Who gives no context has a policy that reads none.
      const context = (await options.context?.()) as TContext;
      const policies = { toolPolicy: policy };
      const verdict = await judge(call, { policies, runContext: { context }, trace, now });
      if (verdict.kind === "blocked") return { kind: "blocked", envelope: told(call, verdict, blocked) };
      const { policyResult, proposalHash } = verdict;
      const allowed: AllowedCall = { ...site, resourceName: toolName, proposalHash, policyResult };
      const output = await throughFence(fence, allowed, () => execute(JSON.parse(rawArguments)));
      return { kind: "executed", output };
    },
  };
}

function told(
  call: ProposedTool,
  verdict: Verdict & { kind: "blocked" },
  blocked: BlockedMode,
): BlockedEnvelope {
  const { policyResult, proposal } = verdict;
  if (blocked === "policy" && policyResult.resultMode === "tool_result") return blockedEnvelope(policyResult);
  throw blockedError(call, { ...policyResult, resultMode: "throw" }, proposal);
}
