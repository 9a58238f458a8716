/** Verdicts, told to the log, the record and the host. */

import { defined } from "@holdpoint/protocol/client";
import type { SuspendedProposal } from "@holdpoint/protocol/proposal";
import type { Trace } from "./judge.ts";
import type { RunLogger, WriteLog } from "./log.ts";
import type { PolicyResult } from "./policy.ts";
import type { Recorder } from "./recorder.ts";
import type { Warn } from "./warn.ts";
import { warnLostProposal } from "./warn.ts";

/** What the host may give to hear about suspended proposals. */
export interface SuspensionChannels {
  readonly logger?: RunLogger | undefined;
  /** Awaited before the model or the caller is told; what it throws ends the run with nothing executed. */
  readonly onSuspended?: ((proposal: SuspendedProposal) => void | Promise<void>) | undefined;
  /** Where setup warnings go; the console when absent. */
  readonly warn?: Warn | undefined;
}

export function createTrace(
  channels: SuspensionChannels,
  write: WriteLog,
  recorder: Pick<Recorder, "keeps" | "decided" | "suspended">,
): Trace {
  const heard = recorder.keeps || channels.logger !== undefined || channels.onSuspended !== undefined;
  return {
    decided: async (call, result) => {
      const { turn, callId, toolName } = call;
      const told = policyTrace(result);
      const placed = {
        level: result.decision === "allow" ? "info" : "warn",
        agent: call.agentName,
        turn,
      } as const;
      if (call.kind === "tool") {
        await write(placed, { type: "tool_policy_evaluated", toolName, callId, ...told });
      } else {
        const ends = { handoffName: toolName, callId, toAgent: call.toAgentName };
        await write(placed, { type: "handoff_policy_evaluated", ...ends, ...told });
      }
      const name = call.kind === "tool" ? toolName : call.toAgentName;
      recorder.decided({ turn, callId, ...told, resource: { kind: call.kind, name } });
    },
    suspended: async (proposal, result) => {
      recorder.suspended(proposal);
      if (!heard && result.resultMode === "tool_result") warnLostProposal(channels.warn ?? console.warn);
      await channels.onSuspended?.(proposal);
    },
  };
}

function policyTrace(result: PolicyResult) {
  const { decision, reason, publicReason, resultMode, policyVersion, expiresAt, metadata } = result;
  return {
    decision,
    reason,
    ...defined({ publicReason, resultMode, policyVersion, expiresAt, metadata }),
  };
}
