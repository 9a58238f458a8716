import { describe, expect, test } from "vitest";
import { SYSTEM } from "../../kernel/principal.ts";
import { DEV, NOW } from "../../testing/core-samples.ts";
import { type BareCommand, type Given, given } from "../../testing/given.ts";
import { INTENT_ID, intentRow, MADE } from "../../testing/intent-samples.ts";
import type { PlanIn } from "./plan/commands.ts";

const by = { by: DEV };
const made = (holdId: string) => ({ ...MADE, holdId });

/** Runs every command and expects each to be accepted. */
function after(start: Given, ...commands: readonly BareCommand[]): Given {
  return commands.reduce<Given>((state, command) => {
    const { step } = state.when(command, by);
    expect(step.decision.reply.ok, JSON.stringify(step.decision.reply)).toBe(true);
    return state.when(command, by).then(...step.decision.facts.map(({ fact }) => fact.type));
  }, start);
}

const statuses = (state: Given, ...holds: readonly string[]) =>
  holds.map((id) => state.get("hold", id)?.status);

describe("questions about an intent that ends by time", () => {
  const about = (type: "approval" | "escalation" | "access", holdId: string): BareCommand => {
    const more = {
      approval: { type: "approval", action: "pay" },
      escalation: { type: "escalation", priority: "high", urgency: "low" },
      access: {
        type: "access",
        principalId: "x",
        principalType: "agent",
        permission: "read",
        capabilities: [],
      },
    }[type];
    const request = { id: `${type}_1`, reason: "", context: {}, ...more } as never;
    return { kind: "ask_about_intent", intentId: INTENT_ID, request, made: made(holdId) };
  };
  const asked = (row = intentRow()) =>
    after(given(row), about("approval", "h2"), about("escalation", "h3"), about("access", "h4"));

  test("the expiry of its suspension cancels them, except a request for access", () => {
    const record = {
      id: "s1",
      question: "Q",
      response_type: "confirm",
      context: {},
      timeout_seconds: 60,
      fallback_policy: "fail",
    };
    const suspended = after(asked(), {
      kind: "suspend_intent",
      intentId: INTENT_ID,
      record,
      made: made("h1"),
    });
    const at = { now: NOW + 60_000, by: SYSTEM };
    const { step } = suspended.when({ kind: "tick_hold", holdId: "h1" }, at);
    const over = suspended
      .when({ kind: "tick_hold", holdId: "h1" }, at)
      .then(...step.decision.facts.map(({ fact }) => fact.type));
    expect(over.get("intent", INTENT_ID)).toMatchObject({
      status: "abandoned",
      requests: [{ type: "access" }],
    });
    expect(statuses(over, "h1", "h2", "h3", "h4")).toEqual(["expired", "cancelled", "cancelled", "open"]);
    expect(over.get("intent_request", "approval_1")?.status).toBe("cancelled");
  });

  test("a portfolio's deadline cancels them also if nothing was asked by the suspension", () => {
    const suspended = after(asked(intentRow({ deadlineAt: NOW + 60_000 })), {
      kind: "set_status",
      intentId: INTENT_ID,
      status: "suspended_awaiting_input",
      ifVersion: 1,
      made: made("h1"),
    });
    const at = { now: NOW + 60_000, by: SYSTEM };
    const tick = { kind: "tick_intent", intentId: INTENT_ID } as const;
    const { step } = suspended.when(tick, at);
    const over = suspended.when(tick, at).then(...step.decision.facts.map(({ fact }) => fact.type));
    expect(over.get("intent", INTENT_ID)?.status).toBe("abandoned");
    expect(statuses(over, "h2", "h3", "h4")).toEqual(["cancelled", "cancelled", "open"]);
  });
});

describe("the other checkpoints of a plan, when one is rejected", () => {
  const checkpoint = (id: string, part: object = {}) => ({
    ...{ id, name: id, afterTask: "t1", requiresApproval: true, approvers: [] },
    ...{ timeoutHours: null, onTimeout: "escalate" as const, ...part },
  });
  const task = {
    ...{ id: "t1", name: "audit", description: null, priority: "normal", input: {}, assignedAgent: null },
    ...{ capabilitiesRequired: [], dependsOn: [], parentTaskId: null, retryPolicy: null, timeoutMs: null },
    ...{ maxAttempts: 3, permissions: null, memoryPolicy: null, requiresTools: [], metadata: {} },
  } as const;
  const plan = {
    ...{ id: "p1", tasks: [], newTasks: [task], conditions: [], metadata: {} },
    ...({ onFailure: "notify", onComplete: "notify" } as const),
    checkpoints: [
      checkpoint("c1"),
      checkpoint("c2"),
      checkpoint("c3", { timeoutHours: 1, onTimeout: "auto_reject" }),
    ],
  } as unknown as PlanIn;
  const move = (to: "running" | "completed"): BareCommand => ({
    ...{ kind: "change_task", taskId: "t1", to, patch: {} },
    made: ["h1", "h2", "h3"].map(made),
  });
  /** `h1` suspends the intent; `h2` and `h3` wait beside it. */
  const asked = () =>
    after(
      given(intentRow()),
      { kind: "create_plan", intentId: INTENT_ID, plan },
      { kind: "change_plan", planId: "p1", patch: {}, state: "active" },
      move("running"),
      move("completed"),
    );
  const answer = (holdId: string, word: string): BareCommand => ({
    ...{ kind: "answer_hold", holdId, door: "rest", action: "select" },
    data: { selected: [word] },
  });

  test.each([
    ["that suspends the intent", "h1", ["decided", "cancelled", "cancelled"]],
    ["that waits beside it", "h2", ["cancelled", "decided", "cancelled"]],
  ])("are cancelled after the one %s", (_which, holdId, ends) => {
    const over = after(asked(), answer(holdId, "deny"));
    expect(over.get("plan", "p1")?.state).toBe("failed");
    expect(statuses(over, "h1", "h2", "h3")).toEqual(ends);
    expect(over.get("intent", INTENT_ID)).toMatchObject({ status: "active", requests: [] });
  });

  test("are cancelled after one that is resolved by hand, because its own hold was cancelled", () => {
    const byHand = after(
      asked(),
      { kind: "cancel_hold", holdId: "h3" },
      { kind: "resolve_checkpoint", planId: "p1", checkpointId: "c3", approve: false },
    );
    expect(byHand.get("plan", "p1")?.state).toBe("failed");
    expect(statuses(byHand, "h1", "h2", "h3")).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  test("are cancelled in the name of their asker after one that nobody answered in time", () => {
    const tick = { kind: "tick_hold", holdId: "h3" } as const;
    const at = { now: NOW + 3_600_000, by: SYSTEM };
    const { step } = asked().when(tick, at);
    const over = asked()
      .when(tick, at)
      .then(...step.decision.facts.map(({ fact }) => fact.type));
    expect(over.get("plan", "p1")?.state).toBe("failed");
    expect(statuses(over, "h1", "h2", "h3")).toEqual(["cancelled", "cancelled", "expired"]);
    expect(over.hold("h1").outcome).toMatchObject({
      cancelledBy: { kind: "key", name: "dev" },
      reason: "the plan has ended",
    });
  });

  test("stay open after an approval", () => {
    expect(statuses(after(asked(), answer("h2", "approve")), "h1", "h2", "h3")).toEqual([
      ...["open", "decided", "open"],
    ]);
    expect(statuses(after(asked(), answer("h1", "approve")), "h2", "h3")).toEqual(["open", "open"]);
  });
});
