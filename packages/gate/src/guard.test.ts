import type { SuspendedProposal, SuspendedToolProposal } from "@holdpoint/protocol/proposal";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { BlockedEnvelope } from "./envelope.ts";
import { isToolCallApprovalRequiredError, isToolCallPolicyDeniedError } from "./errors.ts";
import { now, rejection, witness } from "./gate.fixture.ts";
import { guard } from "./guard.ts";
import { callProposal } from "./guard-tool.ts";
import { createToolProposalFingerprint } from "./index.ts";
import { notPlainJson } from "./plain-json.ts";
import type { ToolPolicy, ToolPolicyInput } from "./policy.ts";
import { allow, deny, requireApproval } from "./policy.ts";

const soft = { resultMode: "tool_result" } as const;

/** A tool object as AI SDK users write them. */
function weatherTool() {
  const executed: unknown[] = [];
  const weather = {
    description: "Tells the weather.",
    inputSchema: z.object({ city: z.string() }),
    unit: "celsius",
    async execute(input: { city: string }, options: { toolCallId: string }) {
      executed.push([input, options.toolCallId]);
      return `20 ${this.unit} in ${input.city}`;
    },
  };
  return { weather, executed };
}

async function suspended(call: Promise<unknown>): Promise<SuspendedToolProposal> {
  const error = await rejection(call);
  if (!isToolCallApprovalRequiredError(error)) throw error;
  return error.suspendedProposal as SuspendedToolProposal;
}

describe("guarded plain functions", () => {
  const refund = async ({ order, cents }: { order: string; cents: number }) => `${order}: ${cents}`;

  test("AI-125 a guarded function runs when the policy allows it, with its own output and type", async () => {
    const tools = guard({ refund }, () => allow("ok"));
    expect(await tools.refund({ order: "7", cents: 5 })).toBe("7: 5");
    expectTypeOf(tools.refund).toEqualTypeOf(refund);
  });

  test("AI-041 a blocked function throws the typed error, whatever the policy's result mode, and does not run", async () => {
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    for (const result of [deny("no"), deny("no", soft)]) {
      const error = await rejection(guard({ count }, () => result).count());
      if (!isToolCallPolicyDeniedError(error)) throw error;
      expect(error.policyResult).toMatchObject({ decision: "deny", reason: "no", resultMode: "throw" });
    }
    const asking = guard({ count }, () => requireApproval("ask", { publicReason: "p" }), {
      agentName: "A",
      now,
    });
    expect(await suspended(asking.count())).toMatchObject({
      kind: "tool",
      timestamp: "2026-11-15T10:00:00.000Z",
      agentName: "A",
      toolName: "count",
      turn: 1,
      reason: "ask",
      publicReason: "p",
    });
    expect(runs).toBe(0);
  });

  test("AI-042 a softly blocked function returns the envelope when guard is called with blocked: policy", async () => {
    const tools = guard({ refund }, () => requireApproval("ask", soft), {
      blocked: "policy",
      onSuspended: () => {},
    });
    const output = await tools.refund({ order: "7", cents: 5 });
    expectTypeOf(output).toEqualTypeOf<string | BlockedEnvelope>();
    expect(output).toEqual({
      status: "approval_required",
      code: "ask",
      publicReason: "Action requires approval.",
      data: null,
    });
    const hard = guard({ refund }, () => requireApproval("ask"), { blocked: "policy" });
    expect(isToolCallApprovalRequiredError(await rejection(hard.refund({ order: "7", cents: 5 })))).toBe(
      true,
    );
  });

  test("AI-122 a policy that throws or returns an invalid result denies the call", async () => {
    const failing: ToolPolicy = () => {
      throw new Error("boom");
    };
    const invalid = (() => ({ decision: "allow" })) as unknown as ToolPolicy;
    for (const [policy, reason] of [
      [failing, "policy_error"],
      [invalid, "invalid_policy_result"],
    ] as const) {
      const error = await rejection(
        guard({ refund }, policy, { blocked: "policy" }).refund({ order: "7", cents: 5 }),
      );
      expect(error).toMatchObject({
        name: "ToolCallPolicyDeniedError",
        result: { policyResult: { reason } },
      });
    }
  });

  test("AI-036 a single object argument is hashed as itself, so guard and run give the same hash", async () => {
    const tools = guard({ refund }, () => requireApproval("ask"), { agentName: "Finance Agent" });
    const proposal = await suspended(tools.refund({ order: "7", cents: 5 }));
    expect(proposal.argsCanonicalJson).toBe('{"cents":5,"order":"7"}');
    expect(proposal.proposalHash).toBe(
      createToolProposalFingerprint({
        agentName: "Finance Agent",
        toolName: "refund",
        parsedArguments: { cents: 5, order: "7" },
      }).proposalHash,
    );
  });

  test("AI-032 calls with different argument lists never share a hash", async () => {
    const any = async (..._args: readonly unknown[]) => null;
    const tools = guard({ any }, () => requireApproval("ask"));
    const calls = [
      [],
      [{}],
      [[]],
      [{}, {}],
      [null],
      ["a"],
      ["a", "b"],
      [["a", "b"]],
      [{ 0: "a" }],
      ["a", null],
    ];
    const hashes = await Promise.all(
      calls.map(async (args) => (await suspended(tools.any(...args))).proposalHash),
    );
    expect(new Set(hashes).size).toBe(calls.length);
    expect((await suspended(tools.any("a", undefined))).proposalHash).toBe(hashes[5]);
  });

  test("AI-081 a guarded function runs with the arguments that the policy judged, although caller and policy change them", async () => {
    const seen: unknown[] = [];
    const pay = async (...args: readonly unknown[]) => seen.push(args);
    const given = { to: "alice" };
    const tools = guard({ pay }, async ({ parsedArguments }) => {
      await Promise.resolve();
      given.to = "mallory";
      Object.assign((parsedArguments as object[])[0] ?? {}, { to: "eve" });
      return allow("ok");
    });
    await tools.pay(given, 5);
    expect(seen).toEqual([[{ to: "alice" }, 5]]);
  });

  test.each([
    ["a function", { call: () => {} }, "$.call"],
    ["a date", { on: [new Date(0)] }, "$.on[0]"],
    ["a map", new Map(), "$"],
    ["NaN", { n: Number.NaN }, "$.n"],
    ["a bigint", { n: 1n }, "$.n"],
    ["a class instance", { e: new Error("x") }, "$.e"],
    ["a symbol", { [Symbol("s")]: 1 }, "$"],
    ["undefined in a list", [[undefined]], "$[0][0][0]"],
  ])(
    "AI-081 a call with %s among its arguments is denied, because JSON cannot represent it",
    async (_name, arg, at) => {
      let runs = 0;
      const any = async (_arg: unknown) => {
        runs += 1;
      };
      const error = await rejection(guard({ any }, () => allow("ok")).any(arg));
      if (!isToolCallPolicyDeniedError(error)) throw error;
      expect(error.policyResult.reason).toBe("arguments_not_plain_json");
      expect(error.policyResult.metadata?.["at"]).toBe(at);
      expect(runs).toBe(0);
    },
  );

  test("AI-081 notPlainJson accepts every JSON value, finds cycles, and accepts an object used twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(notPlainJson(value)).toBeNull();
        expect(notPlainJson(JSON.parse(JSON.stringify(value)))).toBeNull();
      }),
    );
    const circle: Record<string, unknown> = { a: {} };
    circle["a"] = { back: circle };
    expect(notPlainJson(circle)).toBe("$.a.back");
    const shared = { x: 1 };
    expect(notPlainJson([shared, shared])).toBeNull();
    expect(notPlainJson({ gone: undefined })).toBeNull();
  });

  test("AI-081 arguments nested 50,000 levels deep are denied as not plain JSON", async () => {
    const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    const tools = guard({ f: async (_input: unknown) => 1 }, () => allow("ok"));
    expect(await tools.f(nested(900))).toBe(1);
    const error = await rejection(tools.f(nested(50_000)));
    expect(error).toMatchObject({ policyResult: { reason: "arguments_not_plain_json" } });
  });
});

describe("guarded tool objects", () => {
  test("AI-125 a guarded tool object keeps every member, its type and its `this`", async () => {
    const { weather, executed } = weatherTool();
    const tools = guard({ weather }, () => allow("ok"));
    expectTypeOf(tools).toEqualTypeOf<{ readonly weather: typeof weather }>();
    expect(tools.weather.description).toBe("Tells the weather.");
    expect(tools.weather.inputSchema).toBe(weather.inputSchema);
    expect(Object.keys(tools.weather).sort()).toEqual(Object.keys(weather).sort());
    expect(await tools.weather.execute({ city: "Rome" }, { toolCallId: "t1" })).toBe("20 celsius in Rome");
    expect(executed).toEqual([[{ city: "Rome" }, "t1"]]);
  });

  test("AI-016 a blocked tool object puts its input and the caller's tool call id into the proposal", async () => {
    const { weather, executed } = weatherTool();
    const tools = guard({ weather }, () => requireApproval("ask"));
    const proposal = await suspended(tools.weather.execute({ city: "Rome" }, { toolCallId: "t1" }));
    expect(proposal).toMatchObject({ callId: "t1", toolName: "weather", parsedArguments: { city: "Rome" } });
    expect(executed).toEqual([]);
  });

  test("AI-042 the output type of a guarded tool object includes the envelope when guard may return it", async () => {
    const { weather } = weatherTool();
    const options = { blocked: "policy", onSuspended: () => {} } as const;
    const tools = guard({ weather }, () => requireApproval("ask", soft), options);
    const output = await tools.weather.execute({ city: "Rome" }, { toolCallId: "t1" });
    expectTypeOf(output).toEqualTypeOf<string | BlockedEnvelope>();
    expect(output).toMatchObject({ status: "approval_required" });
  });

  test("AI-125 guard returns a tool object without execute unchanged, because it runs elsewhere", () => {
    const elsewhere = { description: "Runs in the browser.", parameters: { type: "object" } };
    expect(guard({ elsewhere }, () => deny("no")).elsewhere).toBe(elsewhere);
  });

  test("AI-125 a guarded tool object receives objects, lists, texts, numbers and null as given, and undefined as an empty object", async () => {
    const seen: unknown[] = [];
    const echo = { execute: (input: unknown, _options: unknown) => seen.push(input) };
    const tools = guard({ echo }, () => allow("ok"));
    for (const input of [{ a: [1] }, [1, 2], "text", 7, null]) await tools.echo.execute(input, {});
    expect(seen).toEqual([{ a: [1] }, [1, 2], "text", 7, null]);
    await tools.echo.execute(undefined, {});
    expect(seen.at(-1)).toEqual({});
  });

  test("AI-125 a guarded streaming tool still streams when allowed, and does not start when denied", async () => {
    let started = 0;
    const story = {
      async *execute(input: { words: readonly string[] }, _options: unknown) {
        started += 1;
        yield* input.words;
      },
    };
    const told = async (tools: { story: typeof story }) => {
      const words: unknown[] = [];
      for await (const word of tools.story.execute({ words: ["once", "upon"] }, {})) words.push(word);
      return words;
    };
    expect(await told(guard({ story }, () => allow("ok")))).toEqual(["once", "upon"]);
    const order: string[] = [];
    const fenced = guard({ story }, () => allow("ok"), {
      fence: async (_call, proceed) => {
        await proceed();
        order.push(`reported after ${started} runs`);
      },
    });
    expect(await told(fenced)).toEqual(["once", "upon"]);
    expect(order).toEqual(["reported after 2 runs"]);
    expect(isToolCallPolicyDeniedError(await rejection(told(guard({ story }, () => deny("no")))))).toBe(true);
    const blocked = guard({ story }, () => deny("no", soft), { blocked: "policy" });
    const words: unknown[] = [];
    for await (const word of blocked.story.execute({ words: [] }, {}) as AsyncIterable<unknown>)
      words.push(word);
    expect(words).toMatchObject([{ status: "denied", code: "no" }]);
    expect(started).toBe(2);
  });
});

describe("context, log, fence and proposals of guarded tools", () => {
  test("AI-083 guard asks for the context at each call, and the policy sees only evidence from there", async () => {
    const seen: ToolPolicyInput<{ approved: readonly string[] }>[] = [];
    let approved: readonly string[] = [];
    let runs = 0;
    const act = async (_input: { n: number }) => {
      runs += 1;
    };
    const policy: ToolPolicy<{ approved: readonly string[] }> = (input) => {
      seen.push(input);
      return input.runContext.context.approved.includes(input.proposalHash)
        ? allow("granted")
        : requireApproval("ask");
    };
    const tools = guard({ act }, policy, { context: async () => ({ approved }) });
    const { proposalHash } = await suspended(tools.act({ n: 1 }));
    approved = [proposalHash];
    await tools.act({ n: 1 });
    await suspended(tools.act({ n: 2 }));
    expect(runs).toBe(1);
    expect(seen).toHaveLength(3);
  });

  test("AI-147 guard logs the decision and hands on the proposal before the caller gets the error", async () => {
    const { events, logger } = witness();
    const order: string[] = [];
    const onSuspended = async (proposal: SuspendedProposal) => {
      await new Promise(setImmediate);
      order.push(proposal.proposalHash.length === 64 ? "handed on" : "no hash");
    };
    const act = async () => null;
    const tools = guard({ act }, () => requireApproval("ask"), { logger, onSuspended, runId: "r1" });
    await tools.act().catch(() => order.push("heard"));
    expect(order).toEqual(["handed on", "heard"]);
    expect(events).toMatchObject([{ type: "tool_policy_evaluated", level: "warn", toolName: "act" }]);
  });

  test("AI-046 soft blocks that neither logger nor onSuspended receives give one warning", async () => {
    const warnings: string[] = [];
    const act = async () => null;
    const options = { blocked: "policy", warn: (message: string) => void warnings.push(message) } as const;
    const tools = guard({ act }, () => requireApproval("ask", soft), options);
    await tools.act();
    await tools.act();
    expect(warnings).toHaveLength(1);
  });

  test("G10 a fence that refuses a second claim lets one of three allowed calls run", async () => {
    let runs = 0;
    const act = async () => {
      runs += 1;
    };
    const claimed = new Set<string>();
    const tools = guard({ act }, () => allow("ok"), {
      fence: async ({ proposalHash }, proceed) => {
        if (claimed.has(proposalHash)) throw new Error("already claimed");
        claimed.add(proposalHash);
        await proceed();
      },
    });
    const results = await Promise.allSettled([tools.act(), tools.act(), tools.act()]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(runs).toBe(1);
  });

  test("AI-072 callProposal runs a stored proposal once it is approved, and refuses a changed one", async () => {
    const approved = new Set<string>();
    const seen: unknown[] = [];
    const { weather, executed } = weatherTool();
    const story = {
      async *execute(input: { word: string }, _options: unknown) {
        yield input.word;
        yield `${input.word}!`;
      },
    };
    const raw = {
      one: async (input: { n: number }) => seen.push(input),
      many: async (...args: readonly (number | null)[]) => seen.push(args),
      weather,
      story,
    };
    const tools = guard(raw, ({ proposalHash }) =>
      approved.has(proposalHash) ? allow("granted") : requireApproval("ask"),
    );
    const proposals = [
      await suspended(tools.one({ n: 1 })),
      await suspended(tools.many(1, null)),
      await suspended(tools.weather.execute({ city: "Rome" }, { toolCallId: "t1" })),
      await suspended(tools.story.execute({ word: "end" }, {}).next()),
    ];
    for (const proposal of proposals) {
      const stored = JSON.parse(JSON.stringify(proposal)) as SuspendedProposal;
      expect(isToolCallApprovalRequiredError(await rejection(callProposal(tools, stored)))).toBe(true);
      approved.add(stored.proposalHash);
    }
    const outputs = [];
    for (const proposal of proposals) outputs.push(await callProposal(tools, proposal));
    expect(seen).toEqual([{ n: 1 }, [1, null]]);
    expect(executed).toEqual([[{ city: "Rome" }, "t1"]]);
    expect(outputs.slice(2)).toEqual(["20 celsius in Rome", "end!"]);
    const [proposal] = proposals;
    const forged = [
      { ...proposal!, rawArguments: '{"n":2}' },
      { ...proposal!, toolName: "constructor" },
    ];
    for (const other of forged) {
      await expect(callProposal(tools, other)).rejects.toMatchObject({ name: "ProposalMismatchError" });
    }
    await expect(callProposal({}, proposal!)).rejects.toMatchObject({ name: "ProposalMismatchError" });
  });

  test("AI-170 tools named constructor and toString are guarded like any other", async () => {
    const tools = guard({ constructor: async () => "ran", toString: async () => "ran" }, () => deny("no"));
    for (const name of ["constructor", "toString"] as const) {
      expect(isToolCallPolicyDeniedError(await rejection(tools[name]()))).toBe(true);
    }
  });
});
