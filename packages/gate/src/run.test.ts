/** The run: how blocked proposals surface, in records, streams and outputs; turns, guardrails and the fence. */

import { describe, expect, test } from "vitest";
import { defineAgent } from "./agent.ts";
import {
  HandoffApprovalRequiredError,
  isApprovalRequiredError,
  MaxTurnsExceededError,
  OutputGuardrailTripwireTriggered,
  ToolCallApprovalRequiredError,
} from "./errors.ts";
import type { AllowedCall } from "./fence.ts";
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
import { allow, deny, requireApproval } from "./policy.ts";
import { scriptedProvider } from "./provider.ts";
import { run } from "./run.ts";
import type { RunStreamEvent } from "./session.ts";

const soft = { resultMode: "tool_result" } as const;
const done = [{ type: "completed", message: "done" }] as const;

describe("arguments nested 2,000 levels deep", () => {
  test("finding 15: the call is denied and nothing overflows, although the policy would allow it", async () => {
    const deep = `{"a":${"[".repeat(2_000)}1${"]".repeat(2_000)}}`;
    const { agent, executed } = pingWorld();
    const options = {
      provider: calling(toolCall("ping", deep)),
      policies: { toolPolicy: () => allow("fine") },
    };
    const error = await rejection(run(agent, "hello", options));
    expect(String(error)).toContain("proposal_not_canonical");
    expect(executed).toEqual([]);
  });
});

describe("a blocked proposal", () => {
  test("AI-041 a hard block throws an error with the policy's result, its result mode as throw, and the proposal", async () => {
    const { agent } = pingWorld();
    const given = requireApproval("ask", { publicReason: "p", policyVersion: "v", metadata: { a: 1 } });
    const options = { provider: calling(toolCall("ping")), policies: { toolPolicy: () => given } };
    const error = await rejection(run(agent, "hello", options));
    if (!(error instanceof ToolCallApprovalRequiredError)) throw error;
    expect(error.result.policyResult).toEqual({ ...given, resultMode: "throw" });
    expect(error.result.suspendedProposal.kind).toBe("tool");
    const { source } = handoffWorld();
    const provider = calling(toolCall("handoff_to_target_agent"));
    const handoff = await rejection(
      run(source, "hello", { provider, policies: { handoffPolicy: () => given } }),
    );
    if (!(handoff instanceof HandoffApprovalRequiredError)) throw handoff;
    expect(handoff.result.policyResult).toEqual({ ...given, resultMode: "throw" });
    expect(handoff.result.suspendedProposal.kind).toBe("handoff");
  });

  test("AI-042 a soft block makes the envelope the call's output, and the next turn follows", async () => {
    const { agent } = pingWorld();
    const toolPolicy = () => requireApproval("ask", { ...soft, publicReason: "Please wait." });
    const result = await run(agent, "hello", {
      provider: calling(toolCall("ping")),
      policies: { toolPolicy },
      onSuspended: () => {},
    });
    expect(result.history).toMatchObject([
      { type: "message", role: "user", content: "hello" },
      { type: "tool_call_item", callId: "call-1", name: "ping" },
      {
        type: "tool_call_output_item",
        callId: "call-1",
        output: { status: "approval_required", code: "ask", publicReason: "Please wait.", data: null },
      },
      { type: "message", role: "assistant", content: "done" },
    ]);
  });

  test("AI-043 a soft block puts the decision into the log and into the record", async () => {
    const { agent } = pingWorld();
    const { records, events, sink, logger } = witness();
    const told = { publicReason: "p", policyVersion: "v", expiresAt: "2026-12-01T00:00:00Z", ...soft };
    const toolPolicy = () => requireApproval("ask", told);
    const provider = calling(toolCall("ping"));
    await run(agent, "hello", { provider, policies: { toolPolicy }, record: { sink }, logger });
    const expected = { decision: "require_approval", reason: "ask", ...told };
    expect(events.find(({ type }) => type === "tool_policy_evaluated")).toMatchObject(expected);
    expect(records[0]?.policyDecisions).toMatchObject([expected]);
  });

  test("AI-044 a soft block puts the proposal into the record", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const policies = { toolPolicy: () => requireApproval("ask", soft) };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } });
    expect(records[0]?.suspendedProposals).toHaveLength(1);
  });

  test.each([
    ["hard", {}],
    ["soft", soft],
  ])("AI-045 a %s block stops both the tool call and the handoff", async (_name, mode) => {
    const { agent, executed } = pingWorld();
    const { source, target } = handoffWorld();
    const policies = {
      toolPolicy: () => requireApproval("ask", mode),
      handoffPolicy: () => requireApproval("ask", mode),
    };
    const { records, sink } = witness();
    const options = { policies, record: { sink } };
    await run(agent, "hello", { provider: calling(toolCall("ping")), ...options }).catch(() => {});
    await run(source, "hello", { provider: calling(toolCall("handoff_to_target_agent")), ...options }).catch(
      () => {},
    );
    expect(executed).toEqual([]);
    expect(records.map(({ agentName }) => agentName)).toEqual([agent.name, source.name]);
    expect(target.name).not.toBe(source.name);
  });

  test("AI-046 a soft block warns once per warn function, and only when no log, record or onSuspended takes it", async () => {
    const { agent } = pingWorld();
    const policies = { toolPolicy: () => requireApproval("ask", soft) };
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const two = () => calling(toolCall("ping", {}, "c1"), toolCall("ping", {}, "c2"));
    const { sink, logger } = witness();
    await run(agent, "hello", { provider: two(), policies, warn, logger });
    await run(agent, "hello", { provider: two(), policies, warn, record: { sink } });
    await run(agent, "hello", { provider: two(), policies, warn, onSuspended: () => {} });
    const hard = { toolPolicy: () => requireApproval("ask") };
    await rejection(run(agent, "hello", { provider: two(), policies: hard, warn }));
    expect(warnings).toEqual([]);
    await run(agent, "hello", { provider: two(), policies, warn });
    await run(agent, "hello", { provider: two(), policies, warn });
    expect(warnings).toHaveLength(1);
  });

  test("AI-047 a hard block leaves one failed record with the proposal, whose last item is the call without output", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const policies = { toolPolicy: () => requireApproval("ask") };
    await rejection(run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } }));
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ status: "failed", errorName: "ToolCallApprovalRequiredError" });
    expect(records[0]?.suspendedProposals).toHaveLength(1);
    expect(records[0]?.items.at(-1)).toMatchObject({ type: "tool_call_item", callId: "call-1" });
  });

  test("E-07 a hard block and a soft block both leave the proposal in the record", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    for (const mode of [{}, soft]) {
      const policies = { toolPolicy: () => requireApproval("ask", mode) };
      const options = { provider: calling(toolCall("ping")), policies, record: { sink } };
      await run(agent, "hello", options).catch(() => {});
    }
    expect(records.map((record) => record.suspendedProposals?.length)).toEqual([1, 1]);
  });

  test("AI-048 a hard block in a streamed run throws from the stream, and the record is written once", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const policies = { toolPolicy: () => requireApproval("ask") };
    const provider = calling(toolCall("ping"));
    const streamed = await run(agent, "hello", { provider, policies, record: { sink }, stream: true });
    const seen: RunStreamEvent[] = [];
    const reading = (async () => {
      for await (const event of streamed.toStream()) seen.push(event);
    })();
    expect(isApprovalRequiredError(await rejection(reading))).toBe(true);
    expect(seen.map(({ type }) => type)).toEqual(["agent_updated_stream_event", "run_item_stream_event"]);
    expect(records).toHaveLength(1);
    expect(() => streamed.toStream()).toThrow(TypeError);
  });

  test("AI-050 the record of a run without blocks has no suspendedProposals", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const policies = { toolPolicy: () => allow("ok") };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } });
    expect(JSON.stringify(records[0])).not.toContain("suspendedProposals");
    expect("suspendedProposals" in (records[0] ?? {})).toBe(false);
  });

  test("AI-051 the record's items hold the call and the envelope, never the proposal", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const policies = { toolPolicy: () => requireApproval("ask", { ...soft, metadata: { secret: "s" } }) };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies, record: { sink } });
    const text = JSON.stringify(records[0]?.items);
    expect(text).not.toContain("proposalHash");
    expect(text).not.toContain("secret");
    expect(records[0]?.items.map(({ type }) => type)).toEqual([
      "message",
      "tool_call_item",
      "tool_call_output_item",
      "message",
    ]);
  });

  test("AI-052 three blocked calls make three proposals and three decisions, in the order of the calls", async () => {
    const { agent } = pingWorld();
    const { records, sink } = witness();
    const calls = ["c3", "c1", "c2"].map((callId, n) => toolCall("ping", { n }, callId));
    const policies = { toolPolicy: () => requireApproval("ask", soft) };
    await run(agent, "hello", { provider: calling(...calls), policies, record: { sink } });
    const [record] = records;
    expect(records).toHaveLength(1);
    expect(record?.suspendedProposals?.map(({ callId }) => callId)).toEqual(["c3", "c1", "c2"]);
    const decisions = record?.policyDecisions.filter(({ decision }) => decision === "require_approval");
    expect(decisions?.map(({ callId }) => callId)).toEqual(["c3", "c1", "c2"]);
  });

  test("AI-090 a soft block lets the run go on, and the other calls of the turn still run", async () => {
    const { agent, executed } = pingWorld();
    const toolPolicy = ({ parsedArguments }: { parsedArguments: unknown }) =>
      JSON.stringify(parsedArguments) === '{"n":1}' ? requireApproval("ask", soft) : allow("ok");
    const provider = calling(toolCall("ping", { n: 1 }, "c1"), toolCall("ping", { n: 2 }, "c2"));
    const { history, finalOutput } = await run(agent, "hello", {
      provider,
      policies: { toolPolicy },
      onSuspended: () => {},
    });
    expect(envelopes(history).map(({ status }) => status)).toEqual(["approval_required", "ok"]);
    expect(executed).toEqual([{ n: 2 }]);
    expect(finalOutput).toBe("done");
  });

  test("G2 onSuspended gets the proposal before the model is told, and its failure stops the run", async () => {
    const { agent } = pingWorld();
    const policies = { toolPolicy: () => requireApproval("ask", soft) };
    const turns: string[] = [];
    const provider = {
      name: "watched",
      stream: (request: { messages: readonly unknown[] }) => {
        turns.push(request.messages.length === 1 ? "asked" : "told");
        return calling(toolCall("ping")).stream(request as never);
      },
    };
    const onSuspended = async () => {
      await new Promise(setImmediate);
      expect(turns).toEqual(["asked"]);
      throw new Error("the queue is down");
    };
    await expect(run(agent, "hello", { provider, policies, onSuspended })).rejects.toThrow(
      "the queue is down",
    );
    expect(turns).toEqual(["asked"]);
  });
});

describe("the run loop", () => {
  test("a run ends after ten turns, or after maxTurns, and the error names the limit", async () => {
    const { agent, executed } = pingWorld();
    const policies = { toolPolicy: () => allow("ok") };
    const forever = () => scriptedProvider(Array.from({ length: 20 }, () => [toolCall("ping")]));
    const error = await rejection(run(agent, "hello", { provider: forever(), policies }));
    expect(error).toBeInstanceOf(MaxTurnsExceededError);
    expect(error).toMatchObject({ name: "MaxTurnsExceededError", limit: 10 });
    expect(executed).toHaveLength(10);
    await expect(run(agent, "hello", { provider: forever(), policies, maxTurns: 2 })).rejects.toMatchObject({
      limit: 2,
    });
    expect(executed).toHaveLength(12);
  });

  test("AI-131 a reader that leaves a stream early leaves one failed record with the proposal", async () => {
    const { agent } = pingWorld();
    const { records, events, sink, logger } = witness();
    const policies = { toolPolicy: () => requireApproval("ask", soft) };
    const provider = calling(toolCall("ping"));
    const streamed = await run(agent, "hello", {
      provider,
      policies,
      record: { sink },
      logger,
      stream: true,
    });
    for await (const event of streamed.toStream()) {
      if (event.type === "run_item_stream_event" && event.item.type === "tool_call_output_item") break;
    }
    expect(records).toMatchObject([{ status: "failed", errorName: "RunAbandonedError" }]);
    expect(records[0]?.suspendedProposals).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "run_failed", errorName: "RunAbandonedError" });
  });

  test("AI-048 a stream yields deltas, items and agents as they come, and then has the history and the last agent", async () => {
    const { source, target } = handoffWorld();
    const provider = scriptedProvider([
      [
        { type: "delta", delta: "I will " },
        { type: "delta", delta: "ask." },
        toolCall("handoff_to_target_agent"),
      ],
      [
        { type: "delta", delta: "Hi" },
        { type: "completed", message: "ignored after deltas" },
      ],
    ]);
    const policies = { handoffPolicy: () => allow("ok") };
    const streamed = await run(source, "hello", { provider, policies, stream: true });
    const seen: unknown[] = [];
    for await (const event of streamed.toStream()) {
      if (event.type === "raw_model_stream_event") seen.push(event.data.delta);
      else seen.push(event.type === "agent_updated_stream_event" ? event.agent.name : event.item.type);
    }
    expect(seen).toEqual([
      ...[
        "Source Agent",
        "I will ",
        "ask.",
        "message_output_item",
        "tool_call_item",
        "tool_call_output_item",
      ],
      ...["Target Agent", "Hi", "message_output_item"],
    ]);
    expect(streamed.lastAgent).toBe(target);
    expect(streamed.history.at(-1)).toEqual({ type: "message", role: "assistant", content: "Hi" });
  });

  test("AI-137 instructions may read the context, and the record keeps prompt version and text when told to", async () => {
    const { records, sink } = witness<{ tenant: string }>();
    const agent = defineAgent<{ tenant: string }>({
      name: "A",
      model: "m",
      promptVersion: "p3",
      instructions: async ({ context }) => `Work for ${context.tenant}.`,
    });
    const record = { sink, includePromptText: true };
    await run(agent, "hello", { provider: scriptedProvider([done]), context: { tenant: "acme" }, record });
    expect(records[0]?.promptSnapshots).toMatchObject([
      {
        promptVersion: "p3",
        promptText: "Work for acme.",
        promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  test("AI-130 output guardrails see the text before any reader of the stream, and can stop the run", async () => {
    const { events, records, sink, logger } = witness();
    const said: string[] = [];
    const agent = defineAgent({
      name: "A",
      model: "m",
      outputGuardrails: [
        { name: "polite", execute: () => ({ tripwireTriggered: false }) },
        {
          name: "no_secrets",
          execute: ({ outputText }) => ({
            tripwireTriggered: outputText.includes("hunter2"),
            reason: "a password",
          }),
        },
      ],
    });
    const attempt = async (text: string) => {
      const provider = scriptedProvider([[{ type: "delta", delta: text }]]);
      const streamed = await run(agent, "hello", { provider, record: { sink }, logger, stream: true });
      for await (const event of streamed.toStream()) {
        if (event.type === "raw_model_stream_event") said.push(event.data.delta);
      }
    };
    await attempt("All good.");
    const error = await rejection(attempt("It is hunter2."));
    if (!(error instanceof OutputGuardrailTripwireTriggered)) throw error;
    expect(error.result).toEqual({
      guardrail: "no_secrets",
      output: { tripwireTriggered: true, reason: "a password" },
      outputText: "It is hunter2.",
    });
    expect(said).toEqual(["All good."]);
    expect(records.map((record) => record.guardrailDecisions?.map(({ decision }) => decision))).toEqual([
      ["pass", "pass"],
      ["pass", "triggered"],
    ]);
    expect(records[1]).toMatchObject({
      status: "failed",
      errorName: "OutputGuardrailTripwireTriggered",
      response: "",
    });
    expect(events.map(({ type }) => type).filter((type) => type.startsWith("output"))).toEqual([
      ...[
        "output_guardrail_started",
        "output_guardrail_passed",
        "output_guardrail_started",
        "output_guardrail_passed",
      ],
      ...["output_guardrail_started", "output_guardrail_passed", "output_guardrail_started"],
      "output_guardrail_triggered",
    ]);
  });
});

describe("the fence", () => {
  const allowing = { toolPolicy: () => allow("ok"), handoffPolicy: () => allow("ok") };

  test("AI-082 the fence is called for allowed calls only, with the hash and the policy's result", async () => {
    const { agent, executed } = pingWorld();
    const seen: AllowedCall[] = [];
    const results = [deny("d", soft), requireApproval("r", soft), allow("granted", { policyVersion: "v1" })];
    let next = 0;
    await run(agent, "hello", {
      provider: calling(...["c1", "c2", "c3"].map((callId) => toolCall("ping", {}, callId))),
      policies: { toolPolicy: () => results[next++] ?? deny("over") },
      onSuspended: () => {},
      fence: async (call, proceed) => {
        seen.push(call);
        await proceed();
      },
      now,
    });
    expect(seen).toMatchObject([
      {
        kind: "tool",
        callId: "c3",
        resourceName: "ping",
        policyResult: { reason: "granted", policyVersion: "v1" },
      },
    ]);
    expect(seen[0]?.proposalHash).toMatch(/^[0-9a-f]{64}$/);
    expect(executed).toHaveLength(1);
  });

  test("G10 a fence can stop a call or a handoff, but cannot run it twice or hide its failure", async () => {
    const { agent, executed } = pingWorld();
    const { source } = handoffWorld();
    const attempt = (fence: (call: AllowedCall, proceed: () => Promise<void>) => Promise<void>) =>
      run(agent, "hello", { provider: calling(toolCall("ping")), policies: allowing, fence });
    await expect(attempt(async () => {})).rejects.toMatchObject({ name: "ToolCallFencedError" });
    await expect(
      attempt(async () => {
        throw new Error("claimed elsewhere");
      }),
    ).rejects.toThrow("claimed elsewhere");
    expect(executed).toHaveLength(0);
    const twice = attempt(async (_call, proceed) => {
      await proceed();
      await proceed();
    });
    await expect(twice).rejects.toMatchObject({ name: "ToolCallFencedError" });
    expect(executed).toHaveLength(1);
    const handoff = run(source, "hello", {
      provider: calling(toolCall("handoff_to_target_agent")),
      policies: allowing,
      fence: async () => {},
    });
    await expect(handoff).rejects.toMatchObject({ name: "ToolCallFencedError" });
    const failing = defineAgent({
      name: "A",
      model: "m",
      tools: [
        {
          ...agent.tools[0]!,
          execute: () => {
            throw new RangeError("the bank said no");
          },
        },
      ],
    });
    const hidden = run(failing, "hello", {
      provider: calling(toolCall("ping")),
      policies: allowing,
      fence: (_call, proceed) => proceed().catch(() => {}),
    });
    await expect(hidden).rejects.toThrow("the bank said no");
  });
});
