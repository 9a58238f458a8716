import type { OutstandingReport } from "@holdpoint/protocol/client";
import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/protocol/proposal";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineAgent } from "../agent.ts";
import { isApprovalRequiredError } from "../errors.ts";
import { findActiveApprovalGrant } from "../evidence.ts";
import { calling, NOW, now, rejection, toolCall } from "../gate.fixture.ts";
import { guard } from "../guard.ts";
import { callProposal } from "../guard-tool.ts";
import type { ToolPolicy } from "../policy.ts";
import { allow, deny, requireApproval } from "../policy.ts";
import { replayProposal } from "../replay-proposal.ts";
import { run } from "../run.ts";
import { defineTool } from "../tool.ts";
import { createDesk } from "./approvals.fixture.ts";
import type { Approvals } from "./approvals.ts";
import type { ApprovalHostOptions } from "./host.ts";
import { approvalHost } from "./host.ts";
import { approvalKey } from "./request.ts";

const at = new Date(NOW).toISOString();

interface Evidence {
  readonly grants: readonly ApprovalGrant[];
}

const honouring: ToolPolicy<Evidence> = ({ proposalHash, runContext }) =>
  findActiveApprovalGrant(proposalHash, runContext.context.grants, at) === null
    ? requireApproval("needs_a_person", { metadata: { detail: "audit only" } })
    : allow("approval_granted");

/** A desk, a host, and a suspended refund. */
async function office(
  options: Partial<ApprovalHostOptions> = {},
  args: unknown = { order: "7", cents: 1200 },
) {
  const desk = createDesk();
  const host = approvalHost(desk.approvals, { scope: "acme", now, ...options });
  const executed: unknown[] = [];
  const refund = defineTool({
    name: "refund",
    parameters: z.looseObject({ order: z.string() }),
    execute: async (input) => {
      executed.push(input);
      if (input.order === "broken") throw new RangeError("the bank said no");
      return "paid";
    },
  });
  const wire = defineTool({
    name: "wire",
    parameters: z.looseObject({}),
    execute: () => executed.push("wired"),
  });
  const agent = defineAgent<Evidence>({ name: "Support Agent", model: "m", tools: [refund, wire] });
  const error = await rejection(
    run(agent, "hello", {
      provider: calling(toolCall("refund", args)),
      context: { grants: [] },
      policies: { toolPolicy: honouring },
      onSuspended: host.onSuspended,
      fence: host.fence,
    }),
  );
  if (!isApprovalRequiredError(error)) throw error;
  const proposal = error.suspendedProposal;
  const key = approvalKey("acme", proposal.proposalHash);
  const resume = (stored: SuspendedProposal = proposal, toolPolicy = honouring, from = host) =>
    from.resume(stored, agent, { context: (grants) => ({ grants }), policies: { toolPolicy } });
  return { desk, host, agent, executed, proposal, key, resume };
}

describe("a host's approval requests", () => {
  test("AI-070 a blocked proposal is requested once, under a key of scope and hash", async () => {
    const { desk, host, proposal } = await office();
    await host.onSuspended({ ...proposal, runId: "another", callId: "another", policyVersion: "v2" });
    expect(desk.requests).toHaveLength(1);
    expect(desk.requests[0]).toMatchObject({
      key: `gate:acme:${proposal.proposalHash}`,
      prompt: "May Support Agent run refund?",
      uses: 1,
      reference: { run_id: proposal.runId, call_id: "call-1", turn: 1 },
    });
  });

  test("AI-102 a request refers to the proposal and holds no second copy of its arguments and reasons", async () => {
    const { desk } = await office({ review: { refund: { sensitive: ["cents"] } } });
    const text = JSON.stringify(desk.requests);
    for (const secret of ["1200", "needs_a_person", "audit only", "rawArguments", "parsedArguments"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("E-13 a request's prompt is the policy's public reason, never the internal one", async () => {
    const desk = createDesk();
    const host = approvalHost(desk.approvals, { scope: "acme", now });
    const act = async () => null;
    const policy = () => requireApproval("internal_code", { publicReason: " Please check. " });
    await rejection(guard({ act }, policy, { onSuspended: host.onSuspended }).act());
    expect(desk.requests[0]?.prompt).toBe("Please check.");
    expect(JSON.stringify(desk.requests)).not.toContain("internal_code");
  });

  test("E-06 a request asks for one use unless the policy's metadata gives a valid number or unlimited", async () => {
    const uses = async (metadata: Record<string, unknown>) => {
      const desk = createDesk();
      const { onSuspended } = approvalHost(desk.approvals, { scope: "acme", now });
      await rejection(
        guard({ act: async () => null }, () => requireApproval("ask", { metadata }), { onSuspended }).act(),
      );
      return desk.requests[0]?.uses;
    };
    expect(await uses({})).toBe(1);
    expect(await uses({ uses: 5 })).toBe(5);
    expect(await uses({ uses: "unlimited" })).toBe("unlimited");
    for (const nonsense of [0, -1, 1.5, Number.POSITIVE_INFINITY, "many", null])
      expect(await uses({ uses: nonsense })).toBe(1);
  });
});

describe("a host that resumes", () => {
  test("AI-004 an approval executes nothing; the first resume executes once and reports, the second is refused", async () => {
    const { desk, executed, key, resume } = await office();
    desk.approve(key, { at });
    expect(executed).toEqual([]);
    expect(await resume()).toMatchObject({ kind: "executed", output: "paid" });
    expect(executed).toEqual([{ order: "7", cents: 1200 }]);
    expect(desk.execution(key)).toBe("done");
    expect(await resume()).toEqual({ kind: "claimed_elsewhere", execution: "done" });
    expect(executed).toHaveLength(1);
  });

  test("AI-061 a request that is not approved is not resumed, and the outcome says which state it is in", async () => {
    for (const state of ["rejected", "expired", "dismissed"] as const) {
      const { desk, executed, key, resume } = await office();
      expect(await resume()).toEqual({ kind: "not_approved", state: "pending" });
      desk.settle(key, state);
      expect(await resume()).toEqual({ kind: "not_approved", state });
      expect(executed).toEqual([]);
    }
    const { desk, proposal, resume } = await office();
    const elsewhere = approvalHost(desk.approvals, { scope: "globex", now });
    expect(await resume(proposal, honouring, elsewhere)).toEqual({
      kind: "not_approved",
      state: "never_requested",
    });
  });

  test("E-05 two scopes have the same proposal hash, so an approval in one scope is no grant in the other", async () => {
    const [acme, globex] = [await office({ scope: "acme" }), await office({ scope: "globex" })];
    expect(globex.proposal.proposalHash).toBe(acme.proposal.proposalHash);
    acme.desk.approve(acme.key, { at });
    const stranger = approvalHost(acme.desk.approvals, { scope: "globex", now });
    expect(await stranger.grants(acme.proposal.proposalHash)).toEqual([]);
    expect(await acme.host.grants(acme.proposal.proposalHash)).toHaveLength(1);
  });

  test("AI-071 resuming asks the policy again, and a grant does not overrule a policy that blocks", async () => {
    const { desk, executed, key, proposal, resume } = await office();
    desk.approve(key, { at });
    expect(await resume(proposal, () => deny("frozen"))).toEqual({ kind: "blocked", reason: "frozen" });
    expect(await resume(proposal, () => requireApproval("more"))).toEqual({
      kind: "blocked",
      reason: "more",
    });
    expect(await resume(proposal, () => deny("soft", { resultMode: "tool_result" }))).toEqual({
      kind: "blocked",
      reason: "soft",
    });
    expect(executed).toEqual([]);
    expect(desk.execution(key)).toBeUndefined();
    expect(await resume()).toMatchObject({ kind: "executed" });
  });

  test("AI-061 a grant ends after grantForMs or when it is revoked", async () => {
    const { desk, host, executed, key, proposal, resume } = await office({ grantForMs: 60_000 });
    desk.approve(key, { at: new Date(NOW - 60_001).toISOString() });
    expect(await resume()).toEqual({ kind: "not_approved", state: "expired" });
    expect(await host.state(proposal.proposalHash)).toBe("expired");
    desk.approve(key, { at: new Date(NOW - 60_000).toISOString() });
    expect(await host.state(proposal.proposalHash)).toBe("approved");
    desk.revoke(key, at);
    expect(await resume()).toEqual({ kind: "not_approved", state: "expired" });
    expect(await host.grants(proposal.proposalHash)).toEqual([]);
    expect(executed).toEqual([]);
  });

  test("AI-081 a grant does not cover other arguments, another tool, another scope or a changed stored proposal", async () => {
    const { desk, host, agent, executed, key, proposal, resume } = await office();
    if (proposal.kind !== "tool") throw new Error("expected a tool");
    desk.approve(key, { at });
    expect(await host.grants(proposal.proposalHash)).toMatchObject([
      { proposalHash: proposal.proposalHash, approvedAt: at, metadata: { by: "ada", hold_id: "h1" } },
    ]);
    expect(
      await approvalHost(desk.approvals, { scope: "globex", now }).grants(proposal.proposalHash),
    ).toEqual([]);
    const grants = await host.grants(proposal.proposalHash);
    for (const args of [{ order: "8", cents: 1200 }, { order: "7", cents: 1201 }, { order: "7" }]) {
      const options = { context: { grants }, policies: { toolPolicy: honouring }, fence: host.fence };
      await rejection(run(agent, "hello", { provider: calling(toolCall("refund", args)), ...options }));
    }
    const forged = { ...proposal, rawArguments: '{"order":"8"}', parsedArguments: { order: "8" } };
    await expect(resume(forged)).rejects.toMatchObject({ name: "ProposalMismatchError" });
    await expect(resume({ ...proposal, toolName: "wire" })).rejects.toMatchObject({
      name: "ProposalMismatchError",
    });
    expect(executed).toEqual([]);
  });

  test("AI-081 resume refuses a changed proposal also when the approval has edited arguments", async () => {
    const { desk, executed, key, proposal, resume } = await office();
    if (proposal.kind !== "tool") throw new Error("expected a tool");
    desk.approve(key, { at, editedArguments: { order: "7", cents: 1 } });
    const forged = { ...proposal, toolName: "wire" };
    await expect(resume(forged)).rejects.toMatchObject({ name: "ProposalMismatchError" });
    expect(executed).toEqual([]);
  });

  test("G1 exactly one of eight hosts that resume at the same time executes", async () => {
    const { desk, executed, key, proposal, resume } = await office();
    desk.approve(key, { at });
    const hosts = Array.from({ length: 8 }, () => approvalHost(desk.approvals, { scope: "acme", now }));
    const outcomes = await Promise.all(hosts.map((host) => resume(proposal, honouring, host)));
    const kinds = outcomes.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array(7).fill("claimed_elsewhere"), "executed"]);
    expect(executed).toHaveLength(1);
  });

  test("H3 an execution that throws is reported as failed and not repeated", async () => {
    const { desk, executed, key, resume } = await office({}, { order: "broken" });
    desk.approve(key, { at });
    expect(await resume()).toMatchObject({ kind: "failed", error: { message: "the bank said no" } });
    expect(desk.execution(key)).toBe("failed");
    expect(await resume()).toEqual({ kind: "claimed_elsewhere", execution: "failed" });
    expect(executed).toHaveLength(1);
  });

  test("H3 an execution whose report is lost stays claimed, and nobody repeats it", async () => {
    const { desk, executed, key, proposal, resume } = await office();
    desk.approve(key, { at });
    const silent: Approvals = {
      ...desk.approvals,
      report: () => Promise.reject(new Error("the line is dead")),
    };
    const told: OutstandingReport[] = [];
    const dying = approvalHost(silent, { scope: "acme", now, onOutstanding: (report) => told.push(report) });
    expect(await resume(proposal, honouring, dying)).toMatchObject({ kind: "executed" });
    expect(told.map(({ error }) => String(error))).toEqual(["Error: the line is dead"]);
    expect(desk.execution(key)).toBe("claimed");
    expect(await resume()).toEqual({ kind: "claimed_elsewhere", execution: "claimed" });
    expect(executed).toHaveLength(1);
  });

  test("H3 the console is told of an execution whose report is lost, where the host names nobody", async () => {
    const { desk, key, proposal, resume } = await office();
    desk.approve(key, { at });
    const report = () => Promise.reject(new Error("the line is dead"));
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const dying = approvalHost({ ...desk.approvals, report }, { scope: "acme", now });
    expect(await resume(proposal, honouring, dying)).toMatchObject({ kind: "executed" });
    expect(warned.mock.calls.flat().join()).toMatch(/ran, but its report is outstanding.*the line is dead/);
    warned.mockRestore();
  });

  test("H3 edited arguments that do not fit the tool's schema are refused before the claim is spent", async () => {
    const { desk, executed, key, resume } = await office();
    desk.approve(key, { at, editedArguments: { order: 7 } });
    await expect(resume()).rejects.toMatchObject({ name: "ToolCallArgumentsError" });
    expect(desk.execution(key)).toBeUndefined();
    expect(executed).toEqual([]);
  });

  test("H4 an approval with edited arguments grants only those, and the policy sees which proposal they replace", async () => {
    const { desk, host, executed, key, proposal, resume } = await office();
    desk.approve(key, { at, editedArguments: { order: "7", cents: 500 } });
    expect(await host.grants(proposal.proposalHash)).toEqual([]);
    const seen: unknown[] = [];
    const watching: ToolPolicy<Evidence> = (input) => {
      seen.push([input.parsedArguments, input.runContext.context.grants[0]?.metadata?.["edited_from"]]);
      return honouring(input);
    };
    expect(await resume(proposal, watching)).toMatchObject({ kind: "executed" });
    expect(seen).toEqual([[{ order: "7", cents: 500 }, proposal.proposalHash]]);
    expect(executed).toEqual([{ order: "7", cents: 500 }]);
  });

  test("H4 a guarded tool runs the edited arguments once under the original claim, and never the proposed ones", async () => {
    const desk = createDesk();
    const host = approvalHost(desk.approvals, { scope: "acme", now });
    const paid: unknown[] = [];
    const policy: ToolPolicy = async ({ proposalHash }) =>
      (await host.grants(proposalHash)).length > 0 ? allow("granted") : requireApproval("ask");
    const tools = guard(
      { refund: async (input: { readonly cents: number }) => void paid.push(input) },
      policy,
      { onSuspended: host.onSuspended, fence: host.fence },
    );
    const error = await rejection(tools.refund({ cents: 1200 }));
    if (!isApprovalRequiredError(error)) throw error;
    const { suspendedProposal: proposal } = error;
    const key = approvalKey("acme", proposal.proposalHash);
    expect(await host.approved(proposal)).toBeNull();
    desk.approve(key, { at, editedArguments: { cents: 500 } });
    await rejection(tools.refund({ cents: 1200 }));
    const edited = await host.approved(proposal);
    expect(await host.grants(edited!.proposalHash)).toMatchObject([
      { proposalHash: edited!.proposalHash, metadata: { edited_from: proposal.proposalHash } },
    ]);
    expect(await host.state(edited!.proposalHash)).toBe("approved");
    await callProposal(tools, edited!);
    expect(await rejection(callProposal(tools, edited!))).toMatchObject({
      name: "ToolCallApprovalRequiredError",
    });
    expect(paid).toEqual([{ cents: 500 }]);
    expect(desk.execution(key)).toBe("done");
    // Proposed once more it is an operation like any other, asked about and approved under its own hash.
    desk.approve(approvalKey("acme", edited!.proposalHash), { at });
    await callProposal(tools, edited!);
    expect(paid).toHaveLength(2);
    // The next request of the original may be decided otherwise; the old edit is then no evidence any more.
    await rejection(tools.refund({ cents: 1200 }));
    desk.approve(key, { at });
    expect(await host.grants(edited!.proposalHash)).toEqual([]);
    expect((await host.approved(proposal))?.proposalHash).toBe(proposal.proposalHash);
  });

  test("AI-072 a resumed handoff passes policy and claim like a tool call, and happens once", async () => {
    const desk = createDesk();
    const host = approvalHost(desk.approvals, { scope: "acme", now });
    const target = defineAgent<Evidence>({ name: "Target Agent", model: "m" });
    const source = defineAgent<Evidence>({ name: "Source Agent", model: "m", handoffs: [target] });
    const policies = {
      handoffPolicy: ({ runContext }: { runContext: { context: Evidence } }) =>
        runContext.context.grants.length > 0 ? allow("granted") : requireApproval("ask"),
    };
    const provider = calling(toolCall("handoff_to_target_agent", { order: 7 }));
    const options = { provider, context: { grants: [] }, policies, onSuspended: host.onSuspended };
    const error = await rejection(run(source, "hello", options));
    if (!isApprovalRequiredError(error)) throw error;
    const { suspendedProposal: proposal } = error;
    expect(desk.requests[0]).toMatchObject({
      prompt: "May Source Agent hand over to Target Agent?",
      card: { kind: "handoff", to_agent: "Target Agent", payload: { order: 7 } },
    });
    desk.approve(approvalKey("acme", proposal.proposalHash), { at });
    const resume = () => host.resume(proposal, source, { context: (grants) => ({ grants }), policies });
    const outcome = await resume();
    expect(outcome.kind === "executed" && outcome.replay.lastAgent).toBe(target);
    expect(await resume()).toMatchObject({ kind: "claimed_elsewhere" });
  });
});

describe("the host's fence", () => {
  test("E-06 a granted call in another run is claimed too, so asking the model again executes nothing twice", async () => {
    const { desk, host, agent, executed, key, proposal } = await office();
    desk.approve(key, { at });
    const toolPolicy: ToolPolicy<Evidence> = async ({ proposalHash }) =>
      (await host.grants(proposalHash)).length > 0 ? allow("granted") : requireApproval("ask");
    const again = () =>
      run(agent, "hello", {
        provider: calling(toolCall("refund", { cents: 1200, order: "7" })),
        policies: { toolPolicy },
        onSuspended: host.onSuspended,
        fence: host.fence,
      });
    await again();
    expect(executed).toHaveLength(1);
    expect(isApprovalRequiredError(await rejection(again()))).toBe(true);
    expect(desk.requests.map((request) => request.key)).toEqual([key, key]);
    expect(await host.state(proposal.proposalHash)).toBe("pending");
    expect(executed).toHaveLength(1);
  });

  test("H3 the fence refuses an allow based on a used-up grant, and passes one that says it relied on no grant", async () => {
    const { desk, host, agent, executed, key, proposal, resume } = await office();
    desk.approve(key, { at });
    await resume();
    const attempt = (toolPolicy: ToolPolicy<Evidence>) =>
      replayProposal(agent, proposal, { policies: { toolPolicy }, fence: host.fence });
    await expect(attempt(() => allow("stale"))).rejects.toMatchObject({
      name: "ClaimRefusedError",
      execution: "done",
    });
    expect(executed).toHaveLength(1);
    await attempt(() => allow("small_amount", { metadata: { grant: false } }));
    expect(executed).toHaveLength(2);
  });

  test("H3 the fence refuses an allow based on an expired grant, or on one whose next request is already open", async () => {
    const { desk, host, agent, executed, key, proposal, resume } = await office({ grantForMs: 60_000 });
    const stale = () =>
      replayProposal(agent, proposal, { policies: { toolPolicy: () => allow("stale") }, fence: host.fence });
    desk.approve(key, { at: new Date(NOW - 60_001).toISOString() });
    await expect(stale()).rejects.toMatchObject({ name: "ClaimRefusedError" });
    desk.approve(key, { at });
    await resume();
    await host.onSuspended(proposal);
    expect(await host.state(proposal.proposalHash)).toBe("pending");
    await expect(stale()).rejects.toMatchObject({ name: "ClaimRefusedError", execution: undefined });
    expect(executed).toHaveLength(1);
  });

  test("AI-082 a call that the policy allows without any approval request runs without a claim", async () => {
    const { desk, host, agent, executed } = await office();
    await run(agent, "hello", {
      provider: calling(toolCall("refund", { order: "9" })),
      policies: { toolPolicy: () => allow("small_amount") },
      fence: host.fence,
    });
    expect(executed).toEqual([{ order: "9" }]);
    expect(desk.requests).toHaveLength(1);
  });

  test("E-06 an approval for two uses runs twice, and an unlimited one runs every time", async () => {
    for (const [uses, runs] of [
      [2, 2],
      ["unlimited", 3],
    ] as const) {
      const desk = createDesk();
      const host = approvalHost(desk.approvals, { scope: "acme", now });
      let executed = 0;
      const act = async () => {
        executed += 1;
      };
      const policy: ToolPolicy = async ({ proposalHash }) =>
        (await host.grants(proposalHash)).length > 0
          ? allow("granted")
          : requireApproval("ask", { metadata: { uses } });
      const tools = guard({ act }, policy, { onSuspended: host.onSuspended, fence: host.fence });
      await rejection(tools.act());
      desk.approve(desk.requests[0]!.key, { at });
      for (let attempt = 0; attempt < 3; attempt += 1) await tools.act().catch(() => {});
      expect(executed).toBe(runs);
    }
  });
});
