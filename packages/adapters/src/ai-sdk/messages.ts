/** Approval requests in a list of messages: those that nobody has answered, and the answers as the SDK takes them. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import type { ModelMessage } from "ai";
import type { CallDecision, ToolCall } from "../tool-calls/call.ts";

export interface PendingApproval {
  readonly approvalId: string;
  readonly call: ToolCall;
}

interface Part {
  readonly type: string;
  readonly approvalId?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
}

function partsOf(messages: readonly ModelMessage[], role: ModelMessage["role"]): readonly Part[] {
  return messages.flatMap((message) =>
    message.role === role && typeof message.content !== "string" ? (message.content as readonly Part[]) : [],
  );
}

export function pendingApprovals(messages: readonly ModelMessage[]): readonly PendingApproval[] {
  const asked = partsOf(messages, "assistant");
  const answered = new Set(
    partsOf(messages, "tool")
      .filter(({ type }) => type === "tool-approval-response")
      .map(({ approvalId }) => approvalId),
  );
  const calls = new Map(
    asked.filter(({ type }) => type === "tool-call").map((part) => [part.toolCallId, part] as const),
  );
  return asked
    .filter(({ type, approvalId }) => type === "tool-approval-request" && !answered.has(approvalId))
    .map(({ approvalId = "", toolCallId = "" }) => {
      const { toolName = "", input } = calls.get(toolCallId) ?? {};
      const args = (isObject(input) ? input : { input: input ?? null }) as JsonObject;
      return { approvalId, call: { id: toolCallId, tool: toolName, args } };
    });
}

/** All pending calls are answered in one message, which must be the last one. */
export function answersTo(
  messages: readonly ModelMessage[],
  decisions: ReadonlyMap<string, CallDecision>,
): ModelMessage {
  const content = pendingApprovals(messages).map(({ approvalId, call }) => {
    const decision = decisions.get(call.id);
    if (decision === undefined) throw new Error(`Invariant: the call ${call.id} has no decision`);
    return decision.kind === "run"
      ? { type: "tool-approval-response" as const, approvalId, approved: true }
      : { type: "tool-approval-response" as const, approvalId, approved: false, reason: decision.notice };
  });
  return { role: "tool", content } as ModelMessage;
}
