/** The gate asks the server's rules: `connectApprovals({ rules: "server" })`. */

import type { ToolPolicy } from "@holdpoint/gate";
import {
  allow,
  callProposal,
  deny,
  guard,
  isApprovalRequiredError,
  isToolCallPolicyDeniedError,
  requireApproval,
} from "@holdpoint/gate";
import { connectApprovals } from "@holdpoint/gate/host";
import { describe, expect, test } from "vitest";
import { type GateServer, refundAgent, withoutPort } from "./world.fixture.ts";

type Refund = { readonly order: string; readonly cents: number };

const RULES = {
  rules: [
    { tools: ["refund"], when: { "args.cents": { max: 5_000 } }, verdict: "allow" },
    { tools: ["wire"], verdict: "deny", reason: "Wires are closed." },
  ],
  default: "ask",
};

async function shop(server: GateServer, own?: ToolPolicy, key: "agent" | "operator" = "agent") {
  const {
    test: { call, keys },
  } = server;
  const published = await call("PUT", "/v1/rules", {
    key: keys.admin,
    body: RULES,
    headers: { "if-match": '"0"' },
  });
  expect(published.status).toBe(200);
  const host = connectApprovals({ scope: "acme", rules: "server" }, server.client(key));
  const executed: unknown[] = [];
  const run = async (input: Refund) => {
    executed.push(input);
    return "done";
  };
  const { onSuspended, fence } = host;
  const tools = guard({ refund: run, wire: run }, host.toolPolicy(own), { onSuspended, fence });
  const holds = async () => (await server.client("operator").list()).holds;
  return { host, tools, executed, holds };
}

const SMALL = { order: "7", cents: 100 };
const LARGE = { order: "8", cents: 9_000 };

async function blockedBy(call: Promise<unknown>) {
  const error = await call.catch((fault: unknown) => fault);
  if (!isApprovalRequiredError(error)) throw error;
  return error.suspendedProposal;
}

describe("a gate that asks the server's rules", () => {
  test("a gate runs what the server's rules allow, without a hold", async () => {
    await using server = await withoutPort();
    const { tools, executed, holds } = await shop(server);
    expect(await tools.refund(SMALL)).toBe("done");
    expect(executed).toEqual([SMALL]);
    expect(await holds()).toEqual([]);
  });

  test("a gate denies what the server's rules deny, and gives the model the operator's reason", async () => {
    await using server = await withoutPort();
    const { tools, executed } = await shop(server);
    const error = await tools.wire(SMALL).catch((fault: unknown) => fault);
    if (!isToolCallPolicyDeniedError(error)) throw error;
    expect(error.result.policyResult).toMatchObject({
      ...{ decision: "deny", reason: "denied_by_rules", publicReason: "Wires are closed." },
      policyVersion: "rules.v1",
    });
    expect(executed).toEqual([]);
  });

  test("a gate places one hold where the server's rules ask, and runs the call once after a person approved (G10)", async () => {
    await using server = await withoutPort();
    const { host, tools, executed, holds } = await shop(server);
    const { proposalHash } = await blockedBy(tools.refund(LARGE));
    await blockedBy(tools.refund(LARGE));
    const [hold, ...more] = await holds();
    expect(more).toEqual([]);
    expect(hold?.context).toMatchObject({ tool: "refund", arguments: LARGE });
    const waiting = host.wait(proposalHash);
    await server.client("operator").answer(hold?.id ?? "", { action: "approve" });
    expect(await waiting).toBe("approved");
    expect(await tools.refund(LARGE)).toBe("done");
    expect((await server.client("operator").get(hold?.id ?? "")).claim?.state).toBe("done");
    await blockedBy(tools.refund(LARGE));
    expect(executed).toEqual([LARGE]);
    expect(await holds()).toHaveLength(2);
  });

  test("a gate resumes a stored proposal in another process, and refuses one whose hold is about another call", async () => {
    await using server = await withoutPort();
    const { tools, holds } = await shop(server);
    const proposal = await blockedBy(tools.refund(LARGE));
    const other = await blockedBy(tools.refund({ order: "9", cents: 8_000 }));
    for (const { id } of await holds()) await server.client("operator").answer(id, { action: "approve" });
    const executed: unknown[] = [];
    const next = connectApprovals({ scope: "acme", rules: "server" }, server.client("agent"));
    const agent = refundAgent(executed, "agent");
    const options = {
      context: (grants: readonly never[]) => ({ grants }),
      policies: { toolPolicy: next.toolPolicy() },
    };
    const forged = { ...proposal, metadata: { ...other.metadata } };
    expect(await next.resume(forged, agent, options as never)).toMatchObject({ state: "never_requested" });
    expect(await next.resume(proposal, agent, options as never)).toMatchObject({ kind: "executed" });
    expect(executed).toEqual([LARGE]);
  });

  test("a gate runs the arguments that a person approved instead of the proposed ones", async () => {
    await using server = await withoutPort();
    const { host, tools, executed, holds } = await shop(server);
    const proposal = await blockedBy(tools.refund(LARGE));
    const [hold] = await holds();
    const edited = { ...LARGE, cents: 6_000 };
    await server
      .client("operator")
      .answer(hold?.id ?? "", { action: "approve", data: { edited_args: edited } });
    await blockedBy(tools.refund(LARGE));
    const approved = await host.approved(proposal);
    if (approved === null) throw new Error("nothing was approved");
    expect(await callProposal(tools, approved)).toBe("done");
    expect(executed).toEqual([edited]);
    expect(await holds()).toHaveLength(1);
  });

  test("a call that the gate's own policy denies stays denied, and the server is not asked", async () => {
    await using server = await withoutPort();
    const { tools, executed } = await shop(server, () => deny("never"));
    const error = await tools.refund(SMALL).catch((fault: unknown) => fault);
    expect(isToolCallPolicyDeniedError(error) && error.result.policyResult.reason).toBe("never");
    expect(executed).toEqual([]);
    const {
      test: { call, keys },
    } = server;
    expect((await call("GET", "/v1/coverage", { key: keys.admin })).body).toMatchObject({ tools: [] });
  });

  test("a call that needs the own policy's approval stays blocked, although a person approved it, until that policy allows it", async () => {
    await using server = await withoutPort();
    let isHonoured = false;
    const own: ToolPolicy = () => (isHonoured ? allow("approval_granted") : requireApproval("my_own_reason"));
    const { tools, executed, holds } = await shop(server, own);
    expect(await blockedBy(tools.refund(SMALL))).toMatchObject({ reason: "my_own_reason" });
    const [hold] = await holds();
    await server.client("operator").answer(hold?.id ?? "", { action: "approve" });
    expect(await blockedBy(tools.refund(SMALL))).toMatchObject({ reason: "my_own_reason" });
    isHonoured = true;
    expect(await tools.refund(SMALL)).toBe("done");
    expect(executed).toEqual([SMALL]);
    expect(await holds()).toHaveLength(1);
  });

  test("a gate denies the call when the check fails, here because a person's key may not check calls", async () => {
    await using server = await withoutPort();
    const { tools, executed } = await shop(server, undefined, "operator");
    const error = await tools.refund(SMALL).catch((fault: unknown) => fault);
    expect(isToolCallPolicyDeniedError(error) && error.result.policyResult.reason).toBe("policy_error");
    expect(executed).toEqual([]);
  });
});
