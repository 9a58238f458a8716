import { describe, expect, test } from "vitest";
import { calling, handoffWorld, now, pingWorld, rejection, toolCall, witness } from "./gate.fixture.ts";
import { allow, requireApproval } from "./policy.ts";
import { run } from "./run.ts";

describe("log events", () => {
  test("AI-147 the log event of a tool call's decision has everything that the policy gave", async () => {
    const { agent } = pingWorld();
    const { events, logger } = witness();
    const told = {
      publicReason: "p",
      resultMode: "tool_result",
      policyVersion: "v",
      expiresAt: "e",
      metadata: { m: 1 },
    } as const;
    const policies = { toolPolicy: () => requireApproval("ask", told) };
    await run(agent, "hello", { provider: calling(toolCall("ping")), policies, logger, now });
    expect(events.filter(({ type }) => type === "tool_policy_evaluated")).toStrictEqual([
      {
        type: "tool_policy_evaluated",
        timestamp: "2026-11-15T10:00:00.000Z",
        level: "warn",
        agent: "Policy unit agent",
        turn: 1,
        toolName: "ping",
        callId: "call-1",
        decision: "require_approval",
        reason: "ask",
        ...told,
      },
    ]);
  });

  test("AI-147 the log event of a handoff's decision names the target agent, and an allow has level info", async () => {
    const { source } = handoffWorld();
    const { events, logger } = witness();
    const provider = calling(toolCall("handoff_to_target_agent"));
    await run(source, "hello", { provider, policies: { handoffPolicy: () => allow("ok") }, logger });
    expect(events.find(({ type }) => type === "handoff_policy_evaluated")).toMatchObject({
      level: "info",
      handoffName: "handoff_to_target_agent",
      callId: "call-1",
      toAgent: "Target Agent",
      decision: "allow",
      reason: "ok",
    });
  });

  test("AI-147 a logger that throws or rejects does not change the run", async () => {
    const { agent, executed } = pingWorld();
    const loggers = [
      {
        log: () => {
          throw new Error("log is full");
        },
      },
      { log: () => Promise.reject(new Error("log is away")) },
    ];
    for (const logger of loggers) {
      const policies = { toolPolicy: () => allow("ok") };
      const result = await run(agent, "hello", { provider: calling(toolCall("ping")), policies, logger });
      expect(result.finalOutput).toBe("done");
    }
    expect(executed).toHaveLength(2);
  });

  test("AI-148 a run that ends in a hard block logs its events in the documented order", async () => {
    const { agent } = pingWorld();
    const { events, logger } = witness();
    const policies = { toolPolicy: () => requireApproval("ask") };
    await rejection(run(agent, "hello", { provider: calling(toolCall("ping")), policies, logger }));
    expect(events.map(({ type }) => type)).toEqual([
      "run_started",
      "agent_activated",
      "turn_started",
      "tool_call_started",
      "tool_policy_evaluated",
      "tool_call_failed",
      "run_failed",
    ]);
    expect(events[0]).toMatchObject({ maxTurns: 10, historyItems: 1 });
    expect(events.at(-1)).toMatchObject({
      level: "error",
      turn: 1,
      errorName: "ToolCallApprovalRequiredError",
    });
  });

  test("AI-148 a run with an allowed handoff logs its events in the documented order, each with its agent", async () => {
    const { source } = handoffWorld();
    const { events, logger } = witness();
    const provider = calling(toolCall("handoff_to_target_agent"));
    await run(source, "hello", { provider, policies: { handoffPolicy: () => allow("ok") }, logger });
    expect(events.map(({ type, agent }) => `${type} ${agent}`)).toEqual([
      "run_started Source Agent",
      "agent_activated Source Agent",
      "turn_started Source Agent",
      "tool_call_started Source Agent",
      "handoff_policy_evaluated Source Agent",
      "tool_call_completed Source Agent",
      "agent_activated Target Agent",
      "turn_started Target Agent",
      "run_completed Target Agent",
    ]);
  });
});
