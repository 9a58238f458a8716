import { expect, test } from "vitest";
import { AGENT, NOW } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow } from "../../../testing/intent-samples.ts";

const on = { intentId: INTENT_ID } as const;
const by = { by: AGENT };
const many = (count: number) => Array.from({ length: count }, (_, at) => `agent-${at}`);

test("at most 1,000 agents are assigned to an intent, and another one once one was taken off (G13)", () => {
  const assign = { kind: "assign_agent", ...on, agentId: "late" } as const;
  const full = given(intentRow({ agents: many(1_000) }));
  full.when(assign, by).refused("too_many");
  full.when({ ...assign, agentId: "agent-7" }, by).then();
  full
    .when({ kind: "unassign_agent", ...on, agentId: "agent-7" }, by)
    .then("intent.logged")
    .when(assign, by)
    .then("intent.logged");
});

test("a fallback agent takes the place of the failed one, and is not assigned beyond 1,000 agents (G13)", () => {
  const policy = { id: "r", strategy: "none", maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 } as const;
  const retryPolicy = {
    ...policy,
    failureThreshold: 1,
    fallbackAgentId: "late",
    madeAt: NOW,
    changedAt: NOW,
  };
  const failure = { id: "f", agentId: AGENT.name, errorCode: "E", errorMessage: "", metadata: {} };
  const fail = { kind: "record_failure", ...on, failure } as const;
  const agentsAfter = (agents: readonly string[]) => {
    const { step } = given(intentRow({ agents, retryPolicy })).when(fail, by);
    const { fact } = step.decision.facts.at(-1) ?? {};
    return fact?.type === "intent.logged" ? fact.intent.agents : [];
  };
  expect(agentsAfter([...many(999), AGENT.name])).toEqual([...many(999), "late"]);
  expect(agentsAfter(many(1_000))).toEqual(many(1_000));
});
