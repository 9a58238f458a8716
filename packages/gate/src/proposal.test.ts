/** The suspended proposal: its members, its hash, and what does not move the hash. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isApprovalRequiredError } from "./errors.ts";
import { calling, handoffWorld, NOW, now, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import type { SuspendedHandoffProposal, SuspendedProposal, SuspendedToolProposal } from "./index.ts";
import { createHandoffProposalFingerprint, createToolProposalFingerprint } from "./index.ts";
import type { HandoffPolicyInput, PolicyResultOptions, ToolPolicyInput } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import { scriptedProvider } from "./provider.ts";
import { run } from "./run.ts";

interface Suspension {
  readonly args?: unknown;
  readonly callId?: string;
  readonly agentName?: string;
  readonly told?: PolicyResultOptions;
  readonly runId?: string;
  readonly now?: () => number;
}

async function suspendTool(suspension: Suspension = {}): Promise<SuspendedToolProposal> {
  const { args = {}, callId, agentName, told = {}, runId, now: clock = now } = suspension;
  const { agent } = pingWorld(agentName);
  const proposals: SuspendedProposal[] = [];
  const running = run(agent, "hello", {
    provider: calling(toolCall("ping", args, callId)),
    policies: { toolPolicy: () => requireApproval("ask", told) },
    onSuspended: (proposal) => void proposals.push(proposal),
    now: clock,
    ...(runId === undefined ? {} : { record: { runId } }),
  });
  if (told.resultMode === "tool_result") await running;
  else expect(isApprovalRequiredError(await rejection(running))).toBe(true);
  expect(proposals).toHaveLength(1);
  return proposals[0] as SuspendedToolProposal;
}

async function suspendHandoff(args: unknown = {}): Promise<SuspendedHandoffProposal> {
  const { source } = handoffWorld();
  const error = await rejection(
    run(source, "hello", {
      provider: calling(toolCall("handoff_to_target_agent", args)),
      policies: { handoffPolicy: () => requireApproval("ask") },
      now,
    }),
  );
  if (!isApprovalRequiredError(error)) throw error;
  return error.suspendedProposal as SuspendedHandoffProposal;
}

const BASE = ["agentName", "callId", "kind", "proposalHash", "reason", "runId", "timestamp", "turn"];

describe("members", () => {
  test("AI-010 base members are always there, optional ones only when the policy gave them", async () => {
    const bare = await suspendTool();
    const tool = ["argsCanonicalJson", "parsedArguments", "rawArguments", "toolName"];
    expect(Object.keys(bare).sort()).toEqual([...BASE, ...tool].sort());
    const told = { publicReason: "p", policyVersion: "v", expiresAt: "e", metadata: {} };
    expect(Object.keys(await suspendTool({ told })).sort()).toEqual(
      [...BASE, ...tool, ...Object.keys(told)].sort(),
    );
    expect(typeof bare.turn).toBe("number");
    for (const name of BASE.filter((member) => member !== "turn")) {
      expect(typeof Reflect.get(bare, name)).toBe("string");
    }
  });

  test("AI-011 a tool proposal has the call's name, text, value and canonical text", async () => {
    expect(await suspendTool({ args: ' {"b":1, "a":2}' })).toMatchObject({
      kind: "tool",
      toolName: "ping",
      rawArguments: ' {"b":1, "a":2}',
      parsedArguments: { a: 2, b: 1 },
      argsCanonicalJson: '{"a":2,"b":1}',
    });
  });

  test("AI-012 a handoff proposal has both agents, the payload and its canonical text", async () => {
    const handoff = ["fromAgentName", "handoffPayload", "payloadCanonicalJson", "toAgentName"];
    const proposal = await suspendHandoff({ b: 1, a: 2 });
    expect(Object.keys(proposal).sort()).toEqual([...BASE, ...handoff].sort());
    expect(proposal).toMatchObject({
      kind: "handoff",
      fromAgentName: "Source Agent",
      toAgentName: "Target Agent",
      handoffPayload: { a: 2, b: 1 },
      payloadCanonicalJson: '{"a":2,"b":1}',
    });
  });

  test("AI-014 the time is when it was blocked, in UTC", async () => {
    let clock = NOW;
    const tick = () => (clock += 1000);
    const { records, sink } = witness();
    const { agent } = pingWorld();
    const error = await rejection(
      run(agent, "hello", {
        provider: calling(toolCall("ping")),
        policies: { toolPolicy: () => requireApproval("ask") },
        record: { sink },
        now: tick,
      }),
    );
    if (!isApprovalRequiredError(error)) throw error;
    const { timestamp } = error.suspendedProposal;
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    const [record] = records;
    expect(timestamp > (record?.startedAt ?? "")).toBe(true);
    expect(timestamp < (record?.completedAt ?? "")).toBe(true);
  });

  test("AI-015 the run id is the record's, and is there when nothing is recorded", async () => {
    expect((await suspendTool({ runId: "r1" })).runId).toBe("r1");
    expect((await suspendTool()).runId).not.toBe("");
  });

  test("AI-016 turns count from 1 and call ids are kept verbatim", async () => {
    const { agent } = pingWorld();
    const strange = " \u0000 call/é ";
    const provider = scriptedProvider([[toolCall("ping", {}, "first")], [toolCall("ping", {}, strange)]]);
    const results = [allow("first"), requireApproval("second")];
    const error = await rejection(
      run(agent, "hello", {
        provider,
        policies: { toolPolicy: () => results.shift() ?? deny("over") },
      }),
    );
    if (!isApprovalRequiredError(error)) throw error;
    expect(error.suspendedProposal).toMatchObject({ turn: 2, callId: strange });
  });

  test("AI-017 the agent is the proposing one, for handoffs the one handing off", async () => {
    expect((await suspendTool({ agentName: "Finance Agent" })).agentName).toBe("Finance Agent");
    const handoff = await suspendHandoff();
    expect(handoff.agentName).toBe(handoff.fromAgentName);
  });

  test("AI-018 what the policy said is copied unchanged", async () => {
    const told = {
      publicReason: "  Please wait. ",
      policyVersion: "v7",
      expiresAt: "not a time",
      metadata: { limit: { cents: 5 }, list: [1] },
    };
    expect(await suspendTool({ told })).toMatchObject({ reason: "ask", ...told });
  });

  test("AI-019 raw text is kept byte for byte, beside its parse before any schema", async () => {
    for (const [text, parsed] of [
      ["  ", {}],
      ["not json", { __raw: "not json" }],
      ['{\t"a" : 1\n}', { a: 1 }],
    ] as const) {
      const proposal = await suspendTool({ args: text });
      expect(proposal.rawArguments).toBe(text);
      expect(proposal.parsedArguments).toEqual(parsed);
    }
  });

  test("AI-020 canonical texts are those of the parsed values", async () => {
    expect((await suspendTool({ args: '{"10":2,"9":3,"b":1}' })).argsCanonicalJson).toBe(
      '{"9":3,"10":2,"b":1}',
    );
    expect((await suspendHandoff('{"z":-0,"a":"\\u00e9"}')).payloadCanonicalJson).toBe('{"a":"é","z":0}');
  });
});

describe("the hash", () => {
  test("AI-030 is equal for equal content in different runs, calls and times", async () => {
    const first = await suspendTool({ args: { a: 1 }, callId: "c1", runId: "r1" });
    const second = await suspendTool({
      args: { a: 1 },
      callId: "c2",
      runId: "r2",
      now: () => NOW + 86_400_000,
    });
    expect(second.proposalHash).toBe(first.proposalHash);
    expect([second.callId, second.runId, second.timestamp]).not.toEqual([
      first.callId,
      first.runId,
      first.timestamp,
    ]);
  });

  test("AI-031 names the operation, not why it was blocked", async () => {
    const plain = await suspendTool({ args: { a: 1 } });
    const told = [
      { publicReason: "other" },
      { policyVersion: "v9" },
      { expiresAt: "2030-01-01T00:00:00Z" },
      { metadata: { other: true } },
      { resultMode: "tool_result" },
    ] as const;
    for (const options of told) {
      expect((await suspendTool({ args: { a: 1 }, told: options })).proposalHash).toBe(plain.proposalHash);
    }
  });

  test("AI-032 does not move with key order, white space, number spelling or escapes, but with every value", async () => {
    const same = ['{"a":1,"b":"é"}', '{ "b":"\\u00e9" ,\n"a":1.0 }', '{"b":"é","a":1e0}'];
    const hashes = await Promise.all(same.map(async (args) => (await suspendTool({ args })).proposalHash));
    expect(new Set(hashes).size).toBe(1);
    const others = ['{"a":1,"b":"e"}', '{"a":"1","b":"é"}', '{"a":1}', '{"a":1,"b":"é","c":null}'];
    for (const args of others) expect(hashes).not.toContain((await suspendTool({ args })).proposalHash);
    expect(hashes).not.toContain((await suspendTool({ args: same[0], agentName: "Other" })).proposalHash);
  });

  test("AI-032 any JSON arguments, written in any key order, are one operation to the runtime", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        async (args) => {
          const entries = Object.entries(args).reverse();
          const reordered = `{${entries.map(([k, v]) => `${JSON.stringify(k)} : ${JSON.stringify(v)}`).join(" ,\n")}}`;
          const first = await suspendTool({ args: JSON.stringify(args) });
          const second = await suspendTool({ args: reordered });
          expect(second.proposalHash).toBe(first.proposalHash);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("AI-033 a call id is no key: the same id with other arguments is another operation", async () => {
    const first = await suspendTool({ args: { to: "alice" }, callId: "c1" });
    const second = await suspendTool({ args: { to: "mallory" }, callId: "c1" });
    expect(second.proposalHash).not.toBe(first.proposalHash);
  });

  test("AI-034 expiresAt changes nothing, whether past, future or nonsense", async () => {
    const proposals = await Promise.all(
      ["1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "soon"].map((expiresAt) =>
        suspendTool({ told: { expiresAt }, runId: "r" }),
      ),
    );
    const [first, ...others] = proposals.map(({ expiresAt: _ignored, ...rest }) => rest);
    for (const other of others) expect(other).toEqual(first);
  });

  test("AI-149 an allow that has expired still allows: only policies interpret times", async () => {
    const { agent, executed } = pingWorld();
    const toolPolicy = () => allow("ok", { expiresAt: "1999-01-01T00:00:00Z" });
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies: { toolPolicy } });
    expect(executed).toHaveLength(1);
  });

  test("AI-035 policies are given the hash and canonical text that the artifact will carry", async () => {
    const { agent } = pingWorld();
    const seen: ToolPolicyInput[] = [];
    const error = await rejection(
      run(agent, "hello", {
        provider: calling(toolCall("ping", { b: 1, a: 2 })),
        policies: {
          toolPolicy: (input) => {
            seen.push(input);
            return requireApproval("ask");
          },
        },
      }),
    );
    if (!isApprovalRequiredError(error)) throw error;
    const { proposalHash, argsCanonicalJson } = error.suspendedProposal as SuspendedToolProposal;
    expect(seen).toMatchObject([{ proposalHash, argsCanonicalJson }]);
  });

  test("AI-035 handoff policies too", async () => {
    const { source } = handoffWorld();
    const seen: HandoffPolicyInput[] = [];
    const error = await rejection(
      run(source, "hello", {
        provider: calling(toolCall("handoff_to_target_agent", { b: 1, a: 2 })),
        policies: {
          handoffPolicy: (input) => {
            seen.push(input);
            return requireApproval("ask");
          },
        },
      }),
    );
    if (!isApprovalRequiredError(error)) throw error;
    const { proposalHash, payloadCanonicalJson } = error.suspendedProposal as SuspendedHandoffProposal;
    expect(seen).toMatchObject([{ proposalHash, payloadCanonicalJson }]);
  });

  test("AI-036 the public helpers compute what the runtime does", async () => {
    const tool = await suspendTool({ args: { order: "7" }, agentName: "Finance Agent" });
    const { agentName, toolName, parsedArguments, proposalHash, argsCanonicalJson } = tool;
    expect(createToolProposalFingerprint({ agentName, toolName, parsedArguments })).toEqual({
      proposalHash,
      argsCanonicalJson,
    });
    const handoff = await suspendHandoff({ order: "7" });
    const { fromAgentName, toAgentName, handoffPayload, payloadCanonicalJson } = handoff;
    expect(createHandoffProposalFingerprint({ fromAgentName, toAgentName, handoffPayload })).toEqual({
      proposalHash: handoff.proposalHash,
      payloadCanonicalJson,
    });
  });

  test("AI-040 each require_approval makes one proposal; allow and deny make none", async () => {
    const { agent } = pingWorld();
    const proposals: SuspendedProposal[] = [];
    const results = [
      allow("a"),
      requireApproval("r", { resultMode: "tool_result" }),
      deny("d", { resultMode: "tool_result" }),
      requireApproval("r", { resultMode: "tool_result" }),
    ];
    const calls = results.map((_result, at) => toolCall("ping", {}, `c${at}`));
    let next = 0;
    await run(agent, "hello", {
      provider: calling(...calls),
      policies: { toolPolicy: () => results[next++] ?? deny("over") },
      onSuspended: (proposal) => void proposals.push(proposal),
    });
    expect(proposals.map(({ callId }) => callId)).toEqual(["c1", "c3"]);
  });
});
