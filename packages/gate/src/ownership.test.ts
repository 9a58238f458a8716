/** Who owns what: the runtime the artifact, the host everything that leads to a grant, the policy the decision. */

import { readdirSync, readFileSync } from "node:fs";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import { describe, expect, test } from "vitest";
import { isApprovalRequiredError, ToolCallPolicyDeniedError } from "./errors.ts";
import { findActiveApprovalGrant } from "./evidence.ts";
import { calling, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import * as gate from "./index.ts";
import type { ToolPolicy } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { replayProposal } from "./replay-proposal.ts";
import { run } from "./run.ts";
import type { RunOptions } from "./session.ts";

interface Host {
  readonly grants: readonly ApprovalGrant[];
}

const honouring: ToolPolicy<Host> = ({ proposalHash, runContext }) =>
  findActiveApprovalGrant(proposalHash, runContext.context.grants, "2026-11-15T10:00:00Z") === null
    ? requireApproval("ask")
    : allow("approval_granted");

function grantFor(proposal: SuspendedProposal): ApprovalGrant {
  return { proposalHash: proposal.proposalHash, approvedAt: "2026-11-15T09:00:00Z" };
}

async function blocked(args: unknown = { order: 7 }) {
  const world = pingWorld<Host>();
  const options = { context: { grants: [] }, policies: { toolPolicy: honouring } };
  const error = await rejection(
    run(world.agent, "hello", { provider: calling(toolCall("ping", args)), ...options }),
  );
  if (!isApprovalRequiredError(error)) throw error;
  return { ...world, proposal: error.suspendedProposal };
}

describe("the runtime, the host and the policy", () => {
  test("AI-001 the runtime exports no queue, store, notification, review or claim", () => {
    const names = Object.keys(gate).join(" ").toLowerCase();
    expect(names).not.toMatch(/queue|store|storage|notif|review|inbox|place|claim/);
  });

  test("AI-001 no file of the runtime imports the host", () => {
    const sources = readdirSync(import.meta.dirname).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(sources.length).toBeGreaterThan(20);
    for (const name of sources) {
      expect(readFileSync(new URL(name, import.meta.url), "utf8")).not.toMatch(/from "\.\/host/);
    }
  });

  test("AI-110 a call runs only after a policy allowed it, every decision is recorded, and the model sees no policy metadata", async () => {
    const { agent, executed } = pingWorld();
    const { records, sink } = witness();
    const toolPolicy: ToolPolicy = ({ parsedArguments }) =>
      JSON.stringify(parsedArguments) === '{"safe":true}'
        ? allow("safe")
        : requireApproval("ask", { resultMode: "tool_result", metadata: { rule: 7 } });
    const provider = calling(toolCall("ping", { safe: true }, "c1"), toolCall("ping", { safe: false }, "c2"));
    const { history } = await run(agent, "hello", { provider, policies: { toolPolicy }, record: { sink } });
    expect(executed).toEqual([{ safe: true }]);
    expect(records[0]?.policyDecisions.map(({ callId, decision }) => [callId, decision])).toEqual([
      ["c1", "allow"],
      ["c2", "require_approval"],
    ]);
    expect(JSON.stringify(history)).not.toContain("rule");
    await rejection(run(agent, "hello", { provider: calling(toolCall("ping", { safe: true })) }));
    expect(executed).toHaveLength(1);
  });

  test("AI-002 a grant does not overrule a policy that still requires approval", async () => {
    const { agent, executed, proposal } = await blocked();
    const grants = [grantFor(proposal)];
    const policies = { toolPolicy: () => requireApproval("ask") };
    const options = { provider: calling(toolCall("ping", { order: 7 })), context: { grants }, policies };
    expect(isApprovalRequiredError(await rejection(run(agent, "hello", options)))).toBe(true);
    expect(executed).toEqual([]);
  });

  test("AI-003 the same grant lets the call run under a policy that honours it, and not under one that ignores it", async () => {
    const { agent, executed, proposal } = await blocked();
    const context = { grants: [grantFor(proposal)] };
    const attempt = (toolPolicy: ToolPolicy<Host>) =>
      run(agent, "hello", {
        provider: calling(toolCall("ping", { order: 7 })),
        context,
        policies: { toolPolicy },
      });
    await rejection(attempt(() => requireApproval("ask")));
    expect(executed).toEqual([]);
    await attempt(honouring);
    expect(executed).toEqual([{ order: 7 }]);
  });

  test("AI-004 an approved call does not run until somebody starts a new run", async () => {
    const { agent, executed, proposal } = await blocked();
    const grants = [grantFor(proposal)];
    await new Promise(setImmediate);
    expect(executed).toEqual([]);
    await replayProposal(agent, proposal, { context: { grants }, policies: { toolPolicy: honouring } });
    expect(executed).toEqual([{ order: 7 }]);
  });
});

describe("resuming a blocked proposal", () => {
  test("AI-070 a call that is blocked, approved and resumed passes the policy twice", async () => {
    const world = pingWorld<Host>();
    const { events, logger } = witness();
    const policies = { toolPolicy: honouring };
    const provider = calling(toolCall("ping"));
    const error = await rejection(
      run(world.agent, "hello", { provider, context: { grants: [] }, policies, logger }),
    );
    if (!isApprovalRequiredError(error)) throw error;
    const context = { grants: [grantFor(error.suspendedProposal)] };
    await replayProposal(world.agent, error.suspendedProposal, { context, policies, logger });
    const verdicts = events.flatMap((event) =>
      event.type === "tool_policy_evaluated" ? [event.decision] : [],
    );
    expect(verdicts).toEqual(["require_approval", "allow"]);
  });

  test("AI-071 a policy that denies when a call is resumed stops it, although it was approved", async () => {
    const { agent, executed, proposal } = await blocked();
    const options = {
      context: { grants: [grantFor(proposal)] },
      policies: { toolPolicy: () => deny("frozen") },
    };
    expect(await rejection(replayProposal(agent, proposal, options))).toBeInstanceOf(
      ToolCallPolicyDeniedError,
    );
    expect(executed).toEqual([]);
  });

  test("AI-072 replayProposal proposes the stored call again with the same text and hash", async () => {
    const { agent, executed, proposal } = await blocked(' {"order":7.0, "note":"\\u00e9"} ');
    const again = await rejection(
      replayProposal(agent, proposal, { context: { grants: [] }, policies: { toolPolicy: honouring } }),
    );
    if (!isApprovalRequiredError(again)) throw again;
    const { timestamp: _t, runId: _r, ...content } = proposal;
    expect(again.suspendedProposal).toMatchObject(content);
    const context = { grants: [grantFor(proposal)] };
    const { envelope } = await replayProposal(agent, proposal, {
      context,
      policies: { toolPolicy: honouring },
    });
    expect(envelope).toEqual({ status: "ok", code: null, publicReason: null, data: { ok: true } });
    expect(executed).toEqual([{ order: 7, note: "é" }]);
  });

  test("AI-072 replayProposal performs an approved handoff, and the target agent may go on with a model", async () => {
    const target = gate.defineAgent<Host>({ name: "Target Agent", model: "m" });
    const source = gate.defineAgent<Host>({ name: "Source Agent", model: "m", handoffs: [target] });
    const provider = calling(toolCall("handoff_to_target_agent", { order: 7 }));
    const handoffPolicy: gate.HandoffPolicy<Host> = ({ proposalHash, runContext }) =>
      findActiveApprovalGrant(proposalHash, runContext.context.grants, "2026-11-15T10:00:00Z") === null
        ? requireApproval("ask")
        : allow("ok");
    const policies = { handoffPolicy };
    const error = await rejection(run(source, "hello", { provider, context: { grants: [] }, policies }));
    if (!isApprovalRequiredError(error)) throw error;
    const context = { grants: [grantFor(error.suspendedProposal)] };
    const goOn = gate.scriptedProvider([[{ type: "completed", message: "Target here." }]]);
    const replay = await replayProposal(source, error.suspendedProposal, {
      context,
      policies,
      provider: goOn,
      input: "hello",
    });
    expect(replay.lastAgent).toBe(target);
    expect(replay.finalOutput).toBe("Target here.");
    expect(replay.envelope).toMatchObject({ data: { handoffTo: "Target Agent", payload: { order: 7 } } });
  });

  test("AI-072 replayProposal refuses a stored proposal that was changed or belongs to another agent", async () => {
    const { agent, executed, proposal } = await blocked();
    if (proposal.kind !== "tool") throw new Error("expected a tool");
    const options = {
      context: { grants: [grantFor(proposal)] },
      policies: { toolPolicy: () => allow("anything") },
    };
    const swapped = { ...proposal, rawArguments: '{"order":8}', parsedArguments: { order: 8 } };
    await expect(replayProposal(agent, swapped, options)).rejects.toMatchObject({
      name: "ProposalMismatchError",
    });
    const other = pingWorld<Host>("Other Agent");
    await expect(replayProposal(other.agent, proposal, options)).rejects.toMatchObject({
      name: "ProposalMismatchError",
    });
    expect([...executed, ...other.executed]).toEqual([]);
  });

  test("AI-073 a model that is asked again and gives other arguments is blocked again", async () => {
    const { agent, executed, proposal } = await blocked({ order: 7 });
    const options = { context: { grants: [grantFor(proposal)] }, policies: { toolPolicy: honouring } };
    const provider = calling(toolCall("ping", { order: 8 }));
    const error = await rejection(run(agent, "hello", { provider, ...options }));
    if (!isApprovalRequiredError(error)) throw error;
    expect(error.suspendedProposal.proposalHash).not.toBe(proposal.proposalHash);
    expect(executed).toEqual([]);
  });

  test("AI-074 resuming an approved proposal is a run with its own run id", async () => {
    const { agent, proposal } = await blocked();
    const context = { grants: [grantFor(proposal)] };
    const replay = await replayProposal(agent, proposal, { context, policies: { toolPolicy: honouring } });
    expect(replay.runId).not.toBe(proposal.runId);
  });

  test("AI-090 an approved proposal may be resumed later in a fork of the thread", async () => {
    const { agent, executed, proposal } = await blocked();
    const context = { grants: [grantFor(proposal)] };
    const fork = [{ type: "message", role: "user", content: "Let us go on elsewhere." }] as const;
    const replay = await replayProposal(agent, proposal, {
      context,
      policies: { toolPolicy: honouring },
      input: fork,
    });
    expect(replay.history[0]).toEqual(fork[0]);
    expect(executed).toEqual([{ order: 7 }]);
  });
});

describe("evidence and what the model sees", () => {
  test("AI-081 a grant for another proposal does not let a call run", async () => {
    const { agent, executed, proposal } = await blocked({ order: 7 });
    const options = { context: { grants: [grantFor(proposal)] }, policies: { toolPolicy: honouring } };
    for (const args of [{ order: 8 }, { order: "7" }, { order: 7, extra: null }, {}]) {
      await rejection(run(agent, "hello", { provider: calling(toolCall("ping", args)), ...options }));
    }
    const other = pingWorld<Host>("Other Agent");
    await rejection(
      run(other.agent, "hello", { provider: calling(toolCall("ping", { order: 7 })), ...options }),
    );
    expect([...executed, ...other.executed]).toEqual([]);
  });

  test("AI-083 RunOptions has no member for grants, so evidence comes only through the host's context", () => {
    type Members = keyof RunOptions;
    const members = {
      provider: true,
      context: true,
      policies: true,
      maxTurns: true,
      record: true,
      fence: true,
      now: true,
      logger: true,
      onSuspended: true,
      warn: true,
    } satisfies Record<Members, true>;
    expect(Object.keys(members).filter((name) => /grant|approv|evidence/i.test(name))).toEqual([]);
  });

  test("AI-101 the model sees the reason code and the public reason, and nothing else of the policy's result", async () => {
    const { agent } = pingWorld();
    const seen: string[] = [];
    const script = calling(toolCall("ping"));
    const provider = {
      name: "watched",
      stream: (request: Parameters<typeof script.stream>[0]) => {
        seen.push(JSON.stringify(request));
        return script.stream(request);
      },
    };
    const told = {
      publicReason: "Please wait.",
      policyVersion: "secret-version",
      expiresAt: "secret-expiry",
      metadata: { secret: "secret-metadata" },
      resultMode: "tool_result",
    } as const;
    const policies = { toolPolicy: () => requireApproval("stable_code", told) };
    await run(agent, "hello", { provider, policies, onSuspended: () => {} });
    expect(seen[1]).toContain("Please wait.");
    expect(seen[1]).toContain("stable_code");
    expect(seen[1]).not.toContain("secret");
    expect(seen[1]).not.toContain("proposalHash");
  });

  test("E-14 the envelope's code is the policy's reason", async () => {
    const { agent } = pingWorld();
    const policies = { toolPolicy: () => requireApproval("stable_code", { resultMode: "tool_result" }) };
    const options = { provider: calling(toolCall("ping")), policies, onSuspended: () => {} };
    expect(JSON.stringify((await run(agent, "hello", options)).history)).toContain('"code":"stable_code"');
  });
});
