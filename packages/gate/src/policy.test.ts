/** Default deny, and what policies may answer. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent } from "./agent.ts";
import { composeHandoffPolicies, composeToolPolicies } from "./compose.ts";
import { HandoffPolicyDeniedError, ToolCallError, ToolCallPolicyDeniedError } from "./errors.ts";
import { calling, envelopes, handoffWorld, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import { handoffTools } from "./handoff.ts";
import type { HandoffPolicyInput, PolicyResult, ToolPolicy, ToolPolicyInput } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { scriptedProvider } from "./provider.ts";
import { run } from "./run.ts";
import { defineTool } from "./tool.ts";

const soft = { resultMode: "tool_result" } as const;

/** Runs one call past a policy that answers this, and gives back the result the runtime made of it. */
async function deniedWith(answer: () => unknown): Promise<PolicyResult> {
  const { agent, executed } = pingWorld();
  const { records, sink } = witness();
  const policies = { toolPolicy: answer as ToolPolicy };
  const error = await rejection(
    run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } }),
  );
  if (!(error instanceof ToolCallPolicyDeniedError)) throw error;
  expect(executed).toEqual([]);
  expect(records[0]?.policyDecisions).toMatchObject([{ decision: "deny", resultMode: "throw" }]);
  expect(records[0]?.suspendedProposals).toBeUndefined();
  return error.policyResult;
}

describe("default deny", () => {
  test("AI-120 every tool call and handoff is denied when no policy is configured", async () => {
    const { agent, executed } = pingWorld();
    const { source } = handoffWorld();
    const tool = await rejection(run(agent, "hello", { provider: calling(toolCall("ping")) }));
    if (!(tool instanceof ToolCallPolicyDeniedError)) throw tool;
    expect(tool.result.policyResult.reason).toBe("policy_not_configured");
    expect(executed).toEqual([]);
    const provider = calling(toolCall("handoff_to_target_agent"));
    const policies = { toolPolicy: () => allow("tools_only") };
    const handoff = await rejection(run(source, "hello", { provider, policies }));
    if (!(handoff instanceof HandoffPolicyDeniedError)) throw handoff;
    expect(handoff.result).toMatchObject({
      fromAgent: "Source Agent",
      toAgent: "Target Agent",
      policyResult: { reason: "policy_not_configured" },
    });
  });

  test("AI-121 a policy that throws or rejects denies the call, and the result names the error", async () => {
    const result = await deniedWith(() => {
      throw new TypeError("boom");
    });
    expect(result).toMatchObject({
      reason: "policy_error",
      metadata: { errorName: "TypeError", errorMessage: "boom" },
    });
    expect((await deniedWith(() => Promise.reject("text"))).metadata).toEqual({
      errorName: "Error",
      errorMessage: "text",
    });
  });

  const valid = { decision: "require_approval", reason: "ask" };
  test.each([
    ["undefined", undefined],
    ["true", true],
    ["a string", "allow"],
    ["null", null],
    ["a list", ["allow"]],
    ["no decision", { reason: "ask" }],
    ["an unknown decision", { ...valid, decision: "approve" }],
    ["a decision in capitals", { ...valid, decision: "ALLOW" }],
    ["no reason", { decision: "allow" }],
    ["a blank reason", { decision: "allow", reason: "  " }],
    ["a reason that is no text", { decision: "allow", reason: 1 }],
    ["a public reason that is no text", { ...valid, publicReason: 1 }],
    ["a null public reason", { ...valid, publicReason: null }],
    ["an expiry that is no text", { ...valid, expiresAt: 1 }],
    ["a null expiry", { ...valid, expiresAt: null }],
    ["an unknown mode", { ...valid, resultMode: "soft" }],
    ["a null mode", { ...valid, resultMode: null }],
  ])(
    "AI-122 a policy that answers with %s denies the call as invalid_policy_result",
    async (_name, answer) => {
      expect((await deniedWith(() => answer)).reason).toBe("invalid_policy_result");
    },
  );

  test("AI-122 a policy result is valid whatever its policyVersion and metadata are", async () => {
    const { agent, executed } = pingWorld();
    const answer = { decision: "allow", reason: "ok", policyVersion: 7, metadata: "text" };
    const policies = { toolPolicy: (() => answer) as unknown as ToolPolicy };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies });
    expect(executed).toHaveLength(1);
  });

  test("AI-122 a policy result is read once, so a getter that changes cannot turn deny into allow", async () => {
    const decisions = ["deny", "allow", "allow"];
    const answer = {
      reason: "shifty",
      get decision() {
        return decisions.shift() ?? "allow";
      },
    };
    expect((await deniedWith(() => answer)).decision).toBe("deny");
  });

  test.each([["tool_result"], [undefined], [null]])(
    "AI-123 a policy result with denyMode %s is denied, and the reason names the deprecated field",
    async (denyMode) => {
      const result = await deniedWith(() => ({ decision: "allow", reason: "ok", denyMode }));
      expect(result).toMatchObject({
        reason: "deprecated_policy_field_denyMode",
        metadata: { deprecatedField: "denyMode", replacementField: "resultMode", receivedValue: denyMode },
      });
    },
  );

  test("AI-123 a result with denyMode and no decision is denied because of denyMode, not because of its shape", async () => {
    expect((await deniedWith(() => ({ denyMode: "throw" }))).reason).toBe("deprecated_policy_field_denyMode");
  });

  test("E-11 a call to an unregistered tool is refused before any policy is asked, and is recorded and logged", async () => {
    const { agent } = pingWorld();
    const { records, events, sink, logger } = witness();
    let asked = 0;
    const toolPolicy = () => {
      asked += 1;
      return allow("anything");
    };
    const provider = calling(toolCall("rm_rf", { path: "/" }));
    const error = await rejection(
      run(agent, "hello", { provider, policies: { toolPolicy }, record: { sink }, logger }),
    );
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).not.toBeInstanceOf(ToolCallPolicyDeniedError);
    expect((error as Error).name).toBe("ToolCallError");
    expect(asked).toBe(0);
    expect(records[0]?.policyDecisions).toMatchObject([
      { decision: "deny", reason: "tool_not_registered", resource: { kind: "tool", name: "rm_rf" } },
    ]);
    expect(events.map(({ type }) => type)).toContain("tool_policy_evaluated");
  });
});

describe("what policies receive and return", () => {
  test("AI-124 a tool policy receives exactly the documented members", async () => {
    const { agent } = pingWorld<{ tenant: string }>("Finance Agent");
    const seen: ToolPolicyInput<{ tenant: string }>[] = [];
    const toolPolicy: ToolPolicy<{ tenant: string }> = (input) => {
      seen.push(input);
      return allow("ok");
    };
    const context = { tenant: "acme" };
    await run(agent, "hello", {
      provider: calling(toolCall("ping", { a: 1 })),
      policies: { toolPolicy },
      context,
    });
    expect(seen).toEqual([
      {
        agentName: "Finance Agent",
        toolName: "ping",
        rawArguments: '{"a":1}',
        parsedArguments: { a: 1 },
        proposalHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        argsCanonicalJson: '{"a":1}',
        runContext: { context },
        turn: 1,
      },
    ]);
  });

  test("AI-124 a handoff policy receives exactly the documented members", async () => {
    const { source } = handoffWorld();
    const seen: HandoffPolicyInput[] = [];
    const handoffPolicy = (input: HandoffPolicyInput) => {
      seen.push(input);
      return allow("ok");
    };
    await run(source, "hello", {
      provider: calling(toolCall("handoff_to_target_agent", { a: 1 })),
      policies: { handoffPolicy },
    });
    expect(seen).toEqual([
      {
        fromAgentName: "Source Agent",
        toAgentName: "Target Agent",
        handoffPayload: { a: 1 },
        proposalHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        payloadCanonicalJson: '{"a":1}',
        runContext: { context: {} },
        turn: 1,
      },
    ]);
  });

  test("AI-125 arguments are checked against the schema after the policy allowed the call, and a misfit fails the run", async () => {
    const executed: unknown[] = [];
    const order: string[] = [];
    const parameters = z.object({ cents: z.number().transform((cents) => order.push("schema") && cents) });
    const pay = defineTool({ name: "pay", parameters, execute: (input) => executed.push(input) });
    const agent = defineAgent({ name: "A", model: "m", tools: [pay] });
    const attempt = (args: unknown, result: PolicyResult) => {
      const toolPolicy = () => {
        order.push("policy");
        return result;
      };
      return run(agent, "hello", { provider: calling(toolCall("pay", args)), policies: { toolPolicy } });
    };
    await attempt({ cents: 5 }, allow("ok"));
    expect(order).toEqual(["policy", "schema"]);
    const misfit = await rejection(attempt({ cents: "5" }, allow("ok")));
    expect(misfit).toMatchObject({
      name: "ToolCallArgumentsError",
      message: expect.stringContaining("cents"),
    });
    expect(await rejection(attempt({ cents: "5" }, deny("no")))).toBeInstanceOf(ToolCallPolicyDeniedError);
    expect(executed).toEqual([{ cents: 5 }]);
  });

  test("AI-126 a soft deny gives the model an envelope, and a hard deny throws a typed error", async () => {
    const { agent, executed } = pingWorld();
    const attempt = (result: PolicyResult) =>
      run(agent, "hello", { provider: calling(toolCall("ping")), policies: { toolPolicy: () => result } });
    const { history } = await attempt(deny("not_listed", { ...soft, publicReason: "Not for you." }));
    expect(envelopes(history)).toEqual([
      { status: "denied", code: "not_listed", publicReason: "Not for you.", data: null },
    ]);
    expect(envelopes((await attempt(deny("not_listed", soft))).history)).toMatchObject([
      { publicReason: "Action not allowed." },
    ]);
    expect(await rejection(attempt(deny("not_listed")))).toBeInstanceOf(ToolCallPolicyDeniedError);
    expect(executed).toEqual([]);
  });

  test("AI-127 a policy may be asynchronous", async () => {
    const { agent, executed } = pingWorld();
    const toolPolicy = async () => allow("later");
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies: { toolPolicy } });
    expect(executed).toHaveLength(1);
  });

  test("AI-128 a handoff tool is named after its target agent, with a number when that name is taken", () => {
    const named = (name: string) => defineAgent({ name, model: "m" });
    const occupied = defineTool({ name: "handoff_to_billing", execute: () => null });
    const agent = defineAgent({
      name: "Source",
      model: "m",
      tools: [occupied],
      handoffs: [
        named("Billing"),
        named("  Refunds & Co. (EU) "),
        named("refunds-co EU"),
        named("REFUNDS CO EU"),
        named("会計"),
      ],
    });
    expect(handoffTools(agent).map(({ name }) => name)).toEqual([
      "handoff_to_billing_2",
      "handoff_to_refunds_co_eu",
      "handoff_to_refunds_co_eu_2",
      "handoff_to_refunds_co_eu_3",
      "handoff_to_agent",
    ]);
  });

  test("AI-140 allow, deny and requireApproval return all seven members, unset ones as undefined", () => {
    const unset = {
      publicReason: undefined,
      resultMode: undefined,
      policyVersion: undefined,
      expiresAt: undefined,
      metadata: undefined,
    };
    expect(allow("a")).toStrictEqual({ decision: "allow", reason: "a", ...unset });
    expect(deny("d")).toStrictEqual({ decision: "deny", reason: "d", ...unset });
    const all = {
      publicReason: "p",
      resultMode: "tool_result",
      policyVersion: "v",
      expiresAt: "e",
      metadata: { m: 1 },
    } as const;
    expect(requireApproval("r", all)).toStrictEqual({ decision: "require_approval", reason: "r", ...all });
  });

  test("AI-141 a policy result with only a decision and a reason is valid", async () => {
    const { agent, executed } = pingWorld();
    const bare: PolicyResult = { decision: "allow", reason: "ok" };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies: { toolPolicy: () => bare } });
    expect(executed).toHaveLength(1);
  });

  test("AI-142 a block without a result mode throws, and an allow records no result mode", async () => {
    const { agent, executed } = pingWorld();
    const { records, sink } = witness();
    const attempt = (result: PolicyResult) =>
      run(agent, "hello", {
        provider: calling(toolCall("ping")),
        policies: { toolPolicy: () => result },
        record: { sink },
      });
    expect(await rejection(attempt(deny("d")))).toMatchObject({
      result: { policyResult: { resultMode: "throw" } },
    });
    for (const resultMode of ["throw", "tool_result"] as const) await attempt(allow("a", { resultMode }));
    expect(executed).toHaveLength(2);
    expect(records.map(({ policyDecisions }) => policyDecisions[0]?.resultMode)).toEqual([
      "throw",
      undefined,
      undefined,
    ]);
  });

  test("AI-143 the output of an executed call is wrapped in an envelope with status ok", async () => {
    const { agent } = pingWorld();
    const policies = { toolPolicy: () => allow("a", { publicReason: "unused", metadata: { m: 1 } }) };
    const { history } = await run(agent, "hello", { provider: calling(toolCall("ping")), policies });
    expect(envelopes(history)).toEqual([
      { status: "ok", code: null, publicReason: null, data: { ok: true } },
    ]);
  });

  test("AI-144 a missing or blank public reason is replaced by a default text", async () => {
    const { agent } = pingWorld();
    for (const publicReason of [undefined, "", "  \n"]) {
      const policies = { toolPolicy: () => requireApproval("r", { ...soft, publicReason }) };
      const options = { provider: calling(toolCall("ping")), policies, onSuspended: () => {} };
      expect(envelopes((await run(agent, "hello", options)).history)).toMatchObject([
        { status: "approval_required", publicReason: "Action requires approval." },
      ]);
    }
  });

  test("AI-145 an allowed handoff's envelope names the target agent and the payload, and the target has the next turn", async () => {
    const { source, target } = handoffWorld();
    const asked: string[] = [];
    const script = calling(toolCall("handoff_to_target_agent", { order: 7 }));
    const provider = {
      name: "watched",
      stream: (request: Parameters<typeof script.stream>[0]) => {
        asked.push(request.tools.map(({ name }) => name).join());
        return script.stream(request);
      },
    };
    const result = await run(source, "hello", { provider, policies: { handoffPolicy: () => allow("ok") } });
    expect(envelopes(result.history)).toMatchObject([
      { status: "ok", data: { handoffTo: "Target Agent", accepted: true, payload: { order: 7 } } },
    ]);
    expect(result.lastAgent).toBe(target);
    expect(asked).toEqual(["handoff_to_target_agent", ""]);
  });

  test("AI-145 calls after a handoff in the same turn still belong to the proposing agent", async () => {
    const { agent, executed } = pingWorld();
    const target = defineAgent({ name: "Target Agent", model: "m" });
    const both = defineAgent({ ...agent, handoffs: [target] });
    const seen: string[] = [];
    const toolPolicy: ToolPolicy = ({ agentName }) => {
      seen.push(agentName);
      return allow("ok");
    };
    const provider = scriptedProvider([
      [toolCall("handoff_to_target_agent", {}, "c1"), toolCall("ping", {}, "c2")],
      [{ type: "completed", message: "done" }],
    ]);
    const policies = { toolPolicy, handoffPolicy: () => allow("ok") };
    expect((await run(both, "hello", { provider, policies })).lastAgent).toBe(target);
    expect(seen).toEqual([agent.name]);
    expect(executed).toHaveLength(1);
  });
});

describe("composed policies", () => {
  const input = (toolName: string): ToolPolicyInput => ({
    agentName: "A",
    toolName,
    rawArguments: "{}",
    parsedArguments: {},
    proposalHash: "h",
    argsCanonicalJson: "{}",
    runContext: { context: {} },
    turn: 1,
  });
  const towards = (toAgentName: string): HandoffPolicyInput => ({
    fromAgentName: "A",
    toAgentName,
    handoffPayload: {},
    proposalHash: "h",
    payloadCanonicalJson: "{}",
    runContext: { context: {} },
    turn: 1,
  });

  test("AI-170 a composed policy uses the exact name, then the star, and otherwise denies with the name in its reason", async () => {
    const named = composeToolPolicies({ search: () => allow("listed") });
    expect(await named(input("search"))).toMatchObject({ decision: "allow", reason: "listed" });
    expect(await named(input("wire"))).toMatchObject({
      decision: "deny",
      reason: "deny_unconfigured_tool_wire",
    });
    const starred = composeToolPolicies({
      search: () => allow("listed"),
      "*": ({ toolName }) => requireApproval(`ask_${toolName}`),
    });
    expect(await starred(input("search"))).toMatchObject({ reason: "listed" });
    expect(await starred(input("wire"))).toMatchObject({ reason: "ask_wire" });
    const handoffs = composeHandoffPolicies({ Billing: () => allow("team") });
    expect(await handoffs(towards("Billing"))).toMatchObject({ reason: "team" });
    expect(await handoffs(towards("Admin"))).toMatchObject({ reason: "deny_unconfigured_handoff_Admin" });
    expect(await composeHandoffPolicies({ "*": () => allow("any") })(towards("Admin"))).toMatchObject({
      reason: "any",
    });
  });

  test("AI-170 a composed policy passes its input on unchanged, and finds no policy under constructor or __proto__", async () => {
    const seen: ToolPolicyInput[] = [];
    const given = input("search");
    await composeToolPolicies({
      search: (received) => {
        seen.push(received);
        return allow("ok");
      },
    })(given);
    expect(seen[0]).toBe(given);
    const starred = composeToolPolicies({ "*": () => requireApproval("ask") });
    expect(await starred(input("constructor"))).toMatchObject({ reason: "ask" });
    const empty = composeToolPolicies({});
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(await empty(input(name))).toMatchObject({ reason: `deny_unconfigured_tool_${name}` });
    }
  });
});
