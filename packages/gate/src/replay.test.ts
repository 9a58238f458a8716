import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Agent } from "./agent.ts";
import { defineAgent } from "./agent.ts";
import { calling, envelopes, handoffWorld, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import type { AgentInputItem } from "./items.ts";
import type { PolicyResult } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";
import type { ModelProvider, ProviderEvent } from "./provider.ts";
import { scriptedProvider } from "./provider.ts";
import type { RunRecord } from "./record.ts";
import { recordedProvider } from "./recorded-provider.ts";
import { replayRun } from "./replay.ts";
import { run } from "./run.ts";
import { defineTool } from "./tool.ts";

const allowing = { toolPolicy: () => allow("ok"), handoffPolicy: () => allow("ok") };
const soft = { resultMode: "tool_result" } as const;

/** An agent whose tool answers with a new number each time, so that a repeated answer shows. */
function counting() {
  let count = 0;
  const executed: unknown[] = [];
  const count_up = defineTool({
    name: "count_up",
    parameters: z.object({ by: z.number().default(1) }),
    execute: (input) => {
      executed.push(input);
      count += input.by;
      return { count };
    },
  });
  return { agent: defineAgent({ name: "Counter", model: "m", tools: [count_up] }), executed };
}

async function recorded(
  provider: ModelProvider,
  toolPolicy: () => PolicyResult = () => allow("ok"),
  input: string | readonly AgentInputItem[] = "hello",
): Promise<RunRecord> {
  const { records, sink } = witness();
  await run(counting().agent, input, { provider, policies: { toolPolicy }, record: { sink } }).catch(
    () => {},
  );
  return records[0]!;
}

const twice: readonly ProviderEvent[] = [toolCall("count_up", {}, "c1"), toolCall("count_up", {}, "c2")];

describe("the replay's input", () => {
  const history: AgentInputItem[] = [
    { type: "message", role: "user", content: "first" },
    { type: "message", role: "assistant", content: "yes?" },
    { type: "message", role: "user", content: "second" },
  ];

  async function startedFrom(record: RunRecord, input: "recorded" | "question" = "recorded") {
    const { agent } = counting();
    const replay = await replayRun(record, agent, {
      mode: "strict",
      input,
      provider: calling(),
      policies: allowing,
    });
    return { items: replay.result.history.slice(0, -1), source: replay.stats.inputSource };
  }

  test("AI-135 a replay starts with the recorded input items, counted by inputItemCount", async () => {
    const record = await recorded(calling(...twice), undefined, history);
    expect(record.inputItemCount).toBe(3);
    expect(await startedFrom(record)).toEqual({ items: history, source: "inputItemCount" });
  });

  test("AI-135 a replay of a record without a valid count uses the first request's count, then the question", async () => {
    const { inputItemCount: _count, ...legacy } = await recorded(calling(...twice), undefined, history);
    expect(await startedFrom(legacy)).toEqual({ items: history, source: "requestFingerprint" });
    const bare = { ...legacy, requestFingerprints: [] };
    const question = [{ type: "message", role: "user", content: "first\n\nsecond" }];
    expect(await startedFrom(bare)).toEqual({ items: question, source: "questionFallback" });
    for (const inputItemCount of [-1, 1.5, 1000]) {
      expect((await startedFrom({ ...bare, inputItemCount })).source).toBe("questionFallback");
    }
  });

  test("AI-135 a replay starts with the question alone when input is question", async () => {
    const record = await recorded(calling(), undefined, history);
    expect((await startedFrom(record, "question")).source).toBe("question");
  });
});

describe("strict replay", () => {
  test("AI-136 a strict replay executes nothing and gives each call its own recorded output", async () => {
    const record = await recorded(calling(...twice));
    const { agent, executed } = counting();
    const provider = recordedProvider(record);
    const { result, stats } = await replayRun(record, agent, {
      mode: "strict",
      provider,
      policies: allowing,
    });
    expect(envelopes(result.history)).toMatchObject([{ data: { count: 1 } }, { data: { count: 2 } }]);
    expect(executed).toEqual([]);
    expect(stats).toEqual({
      inputSource: "inputItemCount",
      recordedToolCalls: 2,
      replayedFromRecord: 2,
      missingToolCalls: 0,
      liveFallbackCalls: 0,
    });
  });

  test("AI-136 a strict replay wraps an output once, also when it looks like an envelope", async () => {
    const nested = { status: "approval_required", code: "x", publicReason: "y", data: null };
    const tool = defineTool({ name: "echo", execute: () => nested });
    const agent = defineAgent({ name: "A", model: "m", tools: [tool] });
    const { records, sink } = witness();
    await run(agent, "hello", { provider: calling(toolCall("echo")), policies: allowing, record: { sink } });
    const provider = calling(toolCall("echo"));
    const { result } = await replayRun(records[0]!, agent, { mode: "strict", provider, policies: allowing });
    expect(envelopes(result.history)).toEqual([
      { status: "ok", code: null, publicReason: null, data: nested },
    ]);
  });

  test.each([
    ["denied", deny("no", soft)],
    ["approval_required", requireApproval("ask", soft)],
  ])(
    "AI-136 a strict replay does not reuse an output recorded as %s, but asks the policy again",
    async (_name, result) => {
      const record = await recorded(calling(toolCall("count_up")), () => result);
      const { agent, executed } = counting();
      const options = { mode: "strict", onSuspended: () => {} } as const;
      const same = await replayRun(record, agent, {
        ...options,
        provider: recordedProvider(record),
        policies: { toolPolicy: () => result },
      });
      expect(envelopes(same.result.history)).toEqual(envelopes(record.items));
      const allowed = replayRun(record, agent, {
        ...options,
        provider: recordedProvider(record),
        policies: allowing,
      });
      expect(await rejection(allowed)).toMatchObject({ name: "ReplayMissError" });
      expect(executed).toEqual([]);
    },
  );

  test("AI-136 a strict replay blocks a call that had run, when the policy now requires approval", async () => {
    const record = await recorded(calling(toolCall("count_up", { by: 2 })));
    const { agent } = counting();
    const { records, sink } = witness();
    const replay = replayRun(record, agent, {
      mode: "strict",
      provider: recordedProvider(record),
      policies: { toolPolicy: () => requireApproval("ask") },
      record: { sink },
    });
    expect(await rejection(replay)).toMatchObject({ name: "ToolCallApprovalRequiredError" });
    expect(records[0]?.suspendedProposals).toMatchObject([
      { toolName: "count_up", argsCanonicalJson: '{"by":2}' },
    ]);
  });

  test("AI-136 a strict replay without policies is denied like any run", async () => {
    const record = await recorded(calling(...twice));
    const { agent } = counting();
    const replay = replayRun(record, agent, { mode: "strict", provider: recordedProvider(record) });
    expect(await rejection(replay)).toMatchObject({ name: "ToolCallPolicyDeniedError" });
  });

  test("AI-136 a strict replay follows handoffs, also back to the first agent", async () => {
    const { agent: counter } = counting();
    const front: Agent = defineAgent({ name: "Front", model: "m", handoffs: () => [back] });
    const back = defineAgent({ ...counter, name: "Back", handoffs: () => [front] });
    const provider = () =>
      scriptedProvider([
        [toolCall("handoff_to_back", {}, "c1")],
        [toolCall("count_up", {}, "c2")],
        [toolCall("handoff_to_front", {}, "c3")],
        [{ type: "completed", message: "done" }],
      ]);
    const { records, sink } = witness();
    await run(front, "hello", { provider: provider(), policies: allowing, record: { sink } });
    const replay = await replayRun(records[0]!, front, {
      mode: "strict",
      provider: recordedProvider(records[0]!),
      policies: allowing,
    });
    expect(replay.stats.replayedFromRecord).toBe(1);
    expect(replay.result.lastAgent.name).toBe("Front");
    expect(replay.result.history).toEqual(records[0]?.items);
  });
});

describe("hybrid replay", () => {
  test("AI-136 a hybrid replay executes only calls without a recorded output, and applies their schema", async () => {
    const record = await recorded(calling(toolCall("count_up", {}, "c1")));
    const { agent, executed } = counting();
    const { result, stats } = await replayRun(record, agent, {
      mode: "hybrid",
      provider: calling(...twice),
      policies: allowing,
    });
    expect(executed).toEqual([{ by: 1 }]);
    expect(envelopes(result.history)).toMatchObject([{ data: { count: 1 } }, { data: { count: 1 } }]);
    expect(stats).toMatchObject({
      recordedToolCalls: 1,
      replayedFromRecord: 1,
      missingToolCalls: 1,
      liveFallbackCalls: 1,
    });
    const misfit = replayRun(record, agent, {
      mode: "hybrid",
      provider: calling(toolCall("count_up", { by: "two" })),
      policies: allowing,
    });
    expect(await rejection(misfit)).toMatchObject({ name: "ToolCallArgumentsError" });
  });

  test("AI-136 a hybrid replay executes nothing that the policy blocks", async () => {
    const record = await recorded(calling());
    const { agent, executed } = counting();
    const policies = { toolPolicy: () => requireApproval("ask") };
    const replay = replayRun(record, agent, { mode: "hybrid", provider: calling(...twice), policies });
    expect(await rejection(replay)).toMatchObject({ name: "ToolCallApprovalRequiredError" });
    expect(executed).toEqual([]);
  });
});

describe("the recorded provider", () => {
  test("AI-072 the recorded provider repeats the recorded texts and calls in the same turns", async () => {
    const provider = scriptedProvider([
      [
        { type: "delta", delta: "Counting." },
        toolCall("count_up", ' {"by": 2} ', "c1"),
        toolCall("count_up", {}, "c2"),
      ],
      [toolCall("count_up", {}, "c2")],
      [{ type: "completed", message: "Five." }],
    ]);
    const record = await recorded(provider);
    const { records, sink } = witness();
    await run(counting().agent, "hello", {
      provider: recordedProvider(record),
      policies: allowing,
      record: { sink },
    });
    expect(records[0]?.items).toEqual(record.items);
    expect(records[0]?.policyDecisions.map(({ turn, callId }) => [turn, callId])).toEqual([
      [1, "c1"],
      [1, "c2"],
      [2, "c2"],
    ]);
    expect(records[0]?.requestFingerprints.map(({ requestHash }) => requestHash)).toEqual(
      record.requestFingerprints.map(({ requestHash }) => requestHash),
    );
  });

  test("AI-072 the recorded provider repeats a run that ended in a block, with the same proposal hash", async () => {
    const { agent } = pingWorld();
    const { source } = handoffWorld();
    const { records, sink } = witness();
    const policies = {
      toolPolicy: () => requireApproval("ask"),
      handoffPolicy: () => requireApproval("ask"),
    };
    const options = { policies, record: { sink } };
    await rejection(run(agent, "hello", { provider: calling(toolCall("ping")), ...options }));
    await rejection(
      run(source, "hello", { provider: calling(toolCall("handoff_to_target_agent")), ...options }),
    );
    const [tool, handoff] = [...records];
    await rejection(run(agent, "hello", { provider: recordedProvider(tool!), ...options }));
    await rejection(run(source, "hello", { provider: recordedProvider(handoff!), ...options }));
    const hashes = records.map((record) => record.suspendedProposals?.[0]?.proposalHash);
    expect(hashes.slice(2)).toEqual(hashes.slice(0, 2));
  });
});
