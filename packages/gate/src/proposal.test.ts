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

describe("members of a suspended proposal", () => {
  test("AI-010 a proposal always has its base members, and optional ones only when the policy gave them", async () => {
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

  test("AI-011 a tool proposal has the tool's name and the arguments as raw text, parsed value and canonical JSON", async () => {
    expect(await suspendTool({ args: ' {"b":1, "a":2}' })).toMatchObject({
      kind: "tool",
      toolName: "ping",
      rawArguments: ' {"b":1, "a":2}',
      parsedArguments: { a: 2, b: 1 },
      argsCanonicalJson: '{"a":2,"b":1}',
    });
  });

  test("AI-012 a handoff proposal has both agents, the payload and the payload's canonical JSON", async () => {
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

  test("AI-014 a proposal's timestamp is the moment of the block, in UTC", async () => {
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

  test("AI-015 a proposal has the record's run id, and has a run id when nothing is recorded", async () => {
    expect((await suspendTool({ runId: "r1" })).runId).toBe("r1");
    expect((await suspendTool()).runId).not.toBe("");
  });

  test("AI-016 a proposal's turn counts from 1, and its call id is the provider's, verbatim", async () => {
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

  test("AI-017 a proposal's agentName is the agent that proposed the call or hands off", async () => {
    expect((await suspendTool({ agentName: "Finance Agent" })).agentName).toBe("Finance Agent");
    const handoff = await suspendHandoff();
    expect(handoff.agentName).toBe(handoff.fromAgentName);
  });

  test("AI-018 a proposal copies the policy's reason, public reason, version, expiry and metadata unchanged", async () => {
    const told = {
      publicReason: "  Please wait. ",
      policyVersion: "v7",
      expiresAt: "not a time",
      metadata: { limit: { cents: 5 }, list: [1] },
    };
    expect(await suspendTool({ told })).toMatchObject({ reason: "ask", ...told });
  });

  test("AI-019 a proposal keeps the raw arguments byte for byte, and the parsed value before any schema", async () => {
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

  test("AI-020 a proposal's canonical JSON is that of the parsed arguments or payload", async () => {
    expect((await suspendTool({ args: '{"10":2,"9":3,"b":1}' })).argsCanonicalJson).toBe(
      '{"9":3,"10":2,"b":1}',
    );
    expect((await suspendHandoff('{"z":-0,"a":"\\u00e9"}')).payloadCanonicalJson).toBe('{"a":"é","z":0}');
  });
});

describe("the proposal hash", () => {
  test("AI-030 the hash is equal for equal content in different runs, calls and times", async () => {
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

  test("AI-031 the hash does not depend on public reason, policy version, expiry, metadata or result mode", async () => {
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

  test("AI-032 the hash ignores key order, white space, number notation and escapes, and changes with every value", async () => {
    const same = ['{"a":1,"b":"é"}', '{ "b":"\\u00e9" ,\n"a":1.0 }', '{"b":"é","a":1e0}'];
    const hashes = await Promise.all(same.map(async (args) => (await suspendTool({ args })).proposalHash));
    expect(new Set(hashes).size).toBe(1);
    const others = ['{"a":1,"b":"e"}', '{"a":"1","b":"é"}', '{"a":1}', '{"a":1,"b":"é","c":null}'];
    for (const args of others) expect(hashes).not.toContain((await suspendTool({ args })).proposalHash);
    expect(hashes).not.toContain((await suspendTool({ args: same[0], agentName: "Other" })).proposalHash);
  });

  test("AI-032 the hash of any JSON arguments is the same in any key order", async () => {
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

  test("AI-033 two calls with the same call id and different arguments have different hashes", async () => {
    const first = await suspendTool({ args: { to: "alice" }, callId: "c1" });
    const second = await suspendTool({ args: { to: "mallory" }, callId: "c1" });
    expect(second.proposalHash).not.toBe(first.proposalHash);
  });

  test("AI-034 a proposal's expiresAt changes no other member, whether it is past, future or no date", async () => {
    const proposals = await Promise.all(
      ["1999-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "soon"].map((expiresAt) =>
        suspendTool({ told: { expiresAt }, runId: "r" }),
      ),
    );
    const [first, ...others] = proposals.map(({ expiresAt: _ignored, ...rest }) => rest);
    for (const other of others) expect(other).toEqual(first);
  });

  test("AI-149 the runtime executes an allow whose expiresAt is past, because only policies interpret dates", async () => {
    const { agent, executed } = pingWorld();
    const toolPolicy = () => allow("ok", { expiresAt: "1999-01-01T00:00:00Z" });
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies: { toolPolicy } });
    expect(executed).toHaveLength(1);
  });

  test("AI-035 a tool policy receives the same hash and canonical JSON as the suspended proposal has", async () => {
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

  test("AI-035 a handoff policy receives the same hash and canonical JSON as the suspended proposal has", async () => {
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

  test("AI-036 the public fingerprint helpers compute the same hash and canonical JSON as the runtime", async () => {
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

  test("AI-040 each require_approval makes one proposal, and allow and deny make none", async () => {
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
