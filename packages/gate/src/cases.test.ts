/** The eight cases of aioc RFC-0005. */

import { describe, expect, test } from "vitest";
import {
  HandoffApprovalRequiredError,
  ToolCallApprovalRequiredError,
  ToolCallPolicyDeniedError,
} from "./errors.ts";
import { toApprovedProposalHashes } from "./evidence.ts";
import {
  calling,
  envelopes,
  handoffWorld,
  now,
  pingWorld,
  rejection,
  toolCall,
  witness,
} from "./gate.fixture.ts";
import type { HandoffPolicyInput, ToolPolicy } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { scriptedProvider } from "./provider.ts";
import { run } from "./run.ts";

const V1 = "486e7d858f077daf704366bd7f7742a58955c40c0e173da363ab9fa5f47f4a41";
const V4 = "40070bc4293c7ea858c49a49b59b74010f516f1060d5eac023a5283c33acfb37";

async function blockedBy(promise: Promise<unknown>): Promise<ToolCallApprovalRequiredError> {
  const error = await rejection(promise);
  expect(error).toBeInstanceOf(ToolCallApprovalRequiredError);
  return error as ToolCallApprovalRequiredError;
}

describe("a policy that requires approval", () => {
  test("TC-1 a tool call blocked hard throws a typed error with its one suspended proposal, and nothing runs", async () => {
    const { agent, executed } = pingWorld();
    const policies = {
      toolPolicy: () =>
        requireApproval("manager_approval_required", { publicReason: "Manager approval is required." }),
    };
    const error = await blockedBy(
      run(agent, "hello", { provider: calling(toolCall("ping", "{}")), policies, now }),
    );
    expect(error.result.policyResult).toMatchObject({
      decision: "require_approval",
      reason: "manager_approval_required",
      resultMode: "throw",
    });
    expect(error.result.suspendedProposal).toEqual({
      kind: "tool",
      timestamp: "2026-11-15T10:00:00.000Z",
      runId: expect.stringMatching(/./),
      turn: 1,
      callId: "call-1",
      agentName: "Policy unit agent",
      toolName: "ping",
      rawArguments: "{}",
      parsedArguments: {},
      argsCanonicalJson: "{}",
      proposalHash: V1,
      reason: "manager_approval_required",
      publicReason: "Manager approval is required.",
    });
    expect(executed).toEqual([]);
  });

  test("TC-2 a handoff blocked hard throws an error that names both agents, and the active agent never changes", async () => {
    const { source } = handoffWorld();
    const seen: HandoffPolicyInput[] = [];
    const handoffPolicy = (input: HandoffPolicyInput) => {
      seen.push(input);
      return requireApproval("handoff_review");
    };
    const provider = calling(toolCall("handoff_to_target_agent", { reason: "route" }));
    const { records, sink } = witness();
    const error = await rejection(
      run(source, "hello", { provider, policies: { handoffPolicy }, record: { sink } }),
    );
    if (!(error instanceof HandoffApprovalRequiredError)) throw error;
    expect(error.result).toMatchObject({ fromAgent: "Source Agent", toAgent: "Target Agent" });
    expect(error.result.suspendedProposal).toMatchObject({
      kind: "handoff",
      agentName: "Source Agent",
      fromAgentName: "Source Agent",
      toAgentName: "Target Agent",
      handoffPayload: { reason: "route" },
      payloadCanonicalJson: '{"reason":"route"}',
      proposalHash: V4,
    });
    expect(seen.map(({ proposalHash }) => proposalHash)).toEqual([V4]);
    expect(records[0]?.agentName).toBe("Source Agent");
  });

  test("TC-3 a run whose tool call is blocked softly goes on, and its record keeps decision and proposal", async () => {
    const { agent, executed } = pingWorld();
    const { records, sink } = witness();
    const told = {
      publicReason: "Manager approval is required.",
      policyVersion: "approvals.v1",
      expiresAt: "2026-12-01T00:00:00Z",
    };
    const toolPolicy = () =>
      requireApproval("manager_approval_required", { resultMode: "tool_result", ...told });
    const result = await run(agent, "hello", {
      provider: calling(toolCall("ping")),
      policies: { toolPolicy },
      record: { sink },
    });
    expect(result.finalOutput).toBe("done");
    expect(envelopes(result.history)).toEqual([
      {
        status: "approval_required",
        code: "manager_approval_required",
        publicReason: "Manager approval is required.",
        data: null,
      },
    ]);
    expect(records).toHaveLength(1);
    expect(records[0]?.policyDecisions[0]).toMatchObject({
      turn: 1,
      callId: "call-1",
      decision: "require_approval",
      reason: "manager_approval_required",
      resultMode: "tool_result",
      resource: { kind: "tool", name: "ping" },
      ...told,
    });
    expect(records[0]?.suspendedProposals).toHaveLength(1);
    expect(records[0]?.suspendedProposals?.[0]?.runId).toBe(records[0]?.runId);
    expect(executed).toEqual([]);
  });

  test("TC-4 the source agent stays active after its handoff is blocked softly, and the record keeps the proposal", async () => {
    const { source } = handoffWorld();
    const { records, sink } = witness();
    const handoffPolicy = () => requireApproval("handoff_review", { resultMode: "tool_result" });
    const result = await run(source, "hello", {
      provider: calling(toolCall("handoff_to_target_agent", { reason: "route" })),
      policies: { handoffPolicy },
      record: { sink },
    });
    expect(result.lastAgent).toBe(source);
    expect(envelopes(result.history)).toMatchObject([
      { status: "approval_required", code: "handoff_review" },
    ]);
    expect(records[0]?.policyDecisions[0]).toMatchObject({
      decision: "require_approval",
      resource: { kind: "handoff", name: "Target Agent" },
    });
    expect(records[0]?.suspendedProposals).toMatchObject([{ kind: "handoff", proposalHash: V4 }]);
  });

  test("TC-5 the same operation in two runs has one hash, but its own run id and call id in each", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const toolPolicy = () => requireApproval("ask", { resultMode: "tool_result" });
    for (const [args, callId] of [
      ['{"a":1,"b":{"c":2,"d":3}}', "call-1"],
      ['{ "b": {"d":3.0,"c":2}, "a":1 }', "call-2"],
    ] as const) {
      const provider = calling(toolCall("ping", args, callId));
      await run(agent, "hello", { provider, policies: { toolPolicy }, record: { sink } });
    }
    const [first, second] = records.map((record) => record.suspendedProposals?.[0]);
    expect(second?.proposalHash).toBe(first?.proposalHash);
    expect(second?.callId).not.toBe(first?.callId);
    expect(second?.runId).not.toBe(first?.runId);
  });
});

interface Evidence {
  readonly approvedProposalHashes: readonly string[];
}

const honouring: ToolPolicy<Evidence> = ({ proposalHash, runContext }) =>
  runContext.context.approvedProposalHashes.includes(proposalHash)
    ? allow("approval_granted")
    : requireApproval("manager_approval_required");

describe("a blocked proposal that is proposed again", () => {
  test("TC-6 the same proposal is blocked again unless there is a valid grant for it", async () => {
    const { agent, executed } = pingWorld<Evidence>();
    const attempt = (approvedProposalHashes: readonly string[]) =>
      blockedBy(
        run(agent, "hello", {
          provider: calling(toolCall("ping", "{}")),
          context: { approvedProposalHashes },
          policies: { toolPolicy: honouring },
        }),
      );
    const at = "2026-11-15T10:00:00Z";
    const grant = { proposalHash: V1, approvedAt: at };
    const evidence = [
      [],
      ["wrong-hash"],
      toApprovedProposalHashes([{ ...grant, expiresAt: "2026-11-15T09:59:59Z" }], at),
      toApprovedProposalHashes([{ ...grant, revokedAt: at }], at),
      toApprovedProposalHashes([{ ...grant, proposalHash: V4 }], at),
    ];
    for (const hashes of evidence) {
      expect((await attempt(hashes)).suspendedProposal.proposalHash).toBe(V1);
    }
    expect(executed).toEqual([]);
  });

  test("TC-7 a valid grant lets the policy allow the call, and the policy still runs and may still deny it", async () => {
    const { agent, executed } = pingWorld<Evidence>();
    let evaluations = 0;
    const counting: ToolPolicy<Evidence> = (input) => {
      evaluations += 1;
      return honouring(input);
    };
    const options = (toolPolicy: ToolPolicy<Evidence>) => ({
      provider: calling(toolCall("ping", "{}")),
      context: { approvedProposalHashes: [V1] },
      policies: { toolPolicy },
    });
    const result = await run(agent, "hello", options(counting));
    expect(executed).toHaveLength(1);
    expect(evaluations).toBe(1);
    expect(envelopes(result.history)).toEqual([
      { status: "ok", code: null, publicReason: null, data: { ok: true } },
    ]);
    const denied = await rejection(
      run(
        agent,
        "hello",
        options(() => deny("frozen_since_monday")),
      ),
    );
    expect(denied).toBeInstanceOf(ToolCallPolicyDeniedError);
    expect(executed).toHaveLength(1);
  });

  test("TC-8 several blocked calls make several proposals in the order of the calls", async () => {
    const { agent, executed } = pingWorld();
    const { records, sink } = witness();
    const provider = scriptedProvider([
      [toolCall("ping", { n: 1 }, "c1"), toolCall("ping", { n: 2 }, "c2")],
      [toolCall("ping", { n: 3 }, "c3"), toolCall("ping", { n: 1 }, "c4")],
      [{ type: "completed", message: "done" }],
    ]);
    const toolPolicy = () => requireApproval("ask", { resultMode: "tool_result" });
    await run(agent, "hello", { provider, policies: { toolPolicy }, record: { sink } });
    const proposals = records[0]?.suspendedProposals ?? [];
    expect(proposals.map(({ callId, turn }) => [callId, turn])).toEqual([
      ["c1", 1],
      ["c2", 1],
      ["c3", 2],
      ["c4", 2],
    ]);
    const hashes = proposals.map(({ proposalHash }) => proposalHash);
    expect(new Set(hashes.slice(0, 3)).size).toBe(3);
    expect(hashes[3]).toBe(hashes[0]);
    expect(executed).toEqual([]);
  });
});
