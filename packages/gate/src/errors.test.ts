import { describe, expect, test } from "vitest";
import * as errors from "./errors.ts";
import { calling, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import { deny, requireApproval } from "./policy.ts";
import { run } from "./run.ts";

const policyResult = requireApproval("internal_code", { resultMode: "throw" });
const suspendedProposal = {
  kind: "tool",
  timestamp: "2026-11-15T10:00:00.000Z",
  runId: "r",
  turn: 1,
  callId: "c",
  agentName: "A",
  proposalHash: "h",
  reason: "internal_code",
  toolName: "ping",
  rawArguments: "{}",
  parsedArguments: {},
  argsCanonicalJson: "{}",
} as const;

const ends = { fromAgent: "A", toAgent: "B" };
const made = {
  AIOCError: new errors.AIOCError("m"),
  ToolCallError: new errors.ToolCallError("m"),
  ToolCallPolicyDeniedError: new errors.ToolCallPolicyDeniedError({ toolName: "ping", policyResult }),
  ToolCallApprovalRequiredError: new errors.ToolCallApprovalRequiredError({
    toolName: "ping",
    policyResult,
    suspendedProposal,
  }),
  HandoffPolicyDeniedError: new errors.HandoffPolicyDeniedError({ ...ends, policyResult }),
  HandoffApprovalRequiredError: new errors.HandoffApprovalRequiredError({
    ...ends,
    policyResult,
    suspendedProposal,
  }),
  MaxTurnsExceededError: new errors.MaxTurnsExceededError(10),
  OutputGuardrailTripwireTriggered: new errors.OutputGuardrailTripwireTriggered({
    guardrail: "g",
    output: { tripwireTriggered: true },
    outputText: "t",
  }),
};

describe("typed errors", () => {
  test.each(Object.entries(made))(
    "AI-146 %s has its class as its name and is an AIOCError",
    (name, error) => {
      expect(error.name).toBe(name);
      expect(error).toBeInstanceOf(errors.AIOCError);
      expect(error).toBeInstanceOf(Error);
    },
  );

  test("AI-146 tool errors are ToolCallErrors, handoff errors are not, and approval errors are not denial errors", () => {
    expect(made.ToolCallPolicyDeniedError).toBeInstanceOf(errors.ToolCallError);
    expect(made.ToolCallApprovalRequiredError).toBeInstanceOf(errors.ToolCallError);
    expect(made.HandoffPolicyDeniedError).not.toBeInstanceOf(errors.ToolCallError);
    expect(made.HandoffApprovalRequiredError).not.toBeInstanceOf(errors.ToolCallError);
    expect(made.ToolCallApprovalRequiredError).not.toBeInstanceOf(errors.ToolCallPolicyDeniedError);
    expect(made.HandoffApprovalRequiredError).not.toBeInstanceOf(errors.HandoffPolicyDeniedError);
  });

  test("E-12 policyResult and suspendedProposal can be read from the error and from error.result", () => {
    expect(made.ToolCallApprovalRequiredError.result).toEqual({
      toolName: "ping",
      policyResult,
      suspendedProposal,
    });
    expect(made.HandoffApprovalRequiredError.result).toEqual({ ...ends, policyResult, suspendedProposal });
    const carrying = [made.ToolCallApprovalRequiredError, made.HandoffApprovalRequiredError];
    for (const error of carrying) expect(error.suspendedProposal).toBe(suspendedProposal);
    const judged = [...carrying, made.ToolCallPolicyDeniedError, made.HandoffPolicyDeniedError];
    for (const error of judged) {
      expect(error.policyResult).toBe(policyResult);
      expect(error.message).toContain("internal_code");
    }
  });

  test("AI-146 type guards recognise errors by name, so they accept errors of another copy of this package", () => {
    class ToolCallApprovalRequiredError extends Error {
      override readonly name = "ToolCallApprovalRequiredError";
      readonly result = { toolName: "ping", policyResult, suspendedProposal };
    }
    const foreign = new ToolCallApprovalRequiredError();
    expect(errors.isToolCallApprovalRequiredError(foreign)).toBe(true);
    expect(errors.isApprovalRequiredError(foreign)).toBe(true);
    expect(errors.isApprovalRequiredError(made.HandoffApprovalRequiredError)).toBe(true);
    expect(errors.isHandoffApprovalRequiredError(made.HandoffApprovalRequiredError)).toBe(true);
    expect(errors.isToolCallPolicyDeniedError(made.ToolCallPolicyDeniedError)).toBe(true);
    expect(errors.isHandoffPolicyDeniedError(made.HandoffPolicyDeniedError)).toBe(true);
    const others = [
      made.ToolCallError,
      made.ToolCallPolicyDeniedError,
      new Error("x"),
      null,
      "text",
      { ...foreign },
    ];
    for (const other of others) expect(errors.isApprovalRequiredError(other)).toBe(false);
  });

  test("AI-146 a failed run's record has the error's class as errorName", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    for (const result of [deny("d"), requireApproval("r")]) {
      const policies = { toolPolicy: () => result };
      await rejection(
        run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } }),
      );
    }
    expect(records.map(({ errorName }) => errorName)).toEqual([
      "ToolCallPolicyDeniedError",
      "ToolCallApprovalRequiredError",
    ]);
  });
});
