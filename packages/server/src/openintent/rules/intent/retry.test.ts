import { expect, test } from "vitest";
import type { Principal } from "../../../kernel/principal.ts";
import { AGENT, OPERATOR } from "../../../testing/core-samples.ts";
import { type After, given } from "../../../testing/given.ts";
import { FAILURE, INTENT_ID, intentRow, lease, told } from "../../../testing/intent-samples.ts";
import type { Intent, RetryPolicy } from "./intent.ts";

const FALL_BACK: RetryPolicy = {
  ...{ id: "r", maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, madeAt: 0, changedAt: 0 },
  strategy: "none",
  failureThreshold: 1,
  fallbackAgentId: "b",
};

/** `refunder` fails on an intent that hands over to `b`. */
function failed(part: Partial<Intent>, by: Principal = AGENT): After {
  const row = intentRow({ retryPolicy: FALL_BACK, leases: [lease()], ...part });
  const { step, then } = given(row).when(
    { kind: "record_failure", intentId: INTENT_ID, failure: FAILURE },
    { by },
  );
  return then(...step.decision.facts.map(({ fact }) => fact.type));
}

const HANDED_OVER = ["failure_recorded", "lease_released", "agent_assigned", "failure_recorded"];
const KEPT = ["failure_recorded", "governance.violation"];

test("an agent's failure is recorded and hands nothing over when fewer people would have to approve then", () => {
  const quorum = { governance: { completion_mode: "quorum" }, agents: ["refunder", "b", "c", "d"] };
  const kept = failed(quorum);
  expect(told(kept.facts)).toEqual(KEPT);
  expect(kept.get("intent", INTENT_ID)).toMatchObject({ agents: quorum.agents, failures: 1 });
  expect(kept.get("intent", INTENT_ID)?.leases).toMatchObject([{ status: "active" }]);
  const byPerson = failed(quorum, OPERATOR);
  expect(told(byPerson.facts)).toEqual(HANDED_OVER);
  expect(byPerson.get("intent", INTENT_ID)?.agents).toEqual(["c", "d", "b"]);
});

test("an agent's failure hands over to a fallback agent under a quorum if as many people have to approve as before", () => {
  const agents = ["refunder", "c", "d", "e"];
  const after = failed({ governance: { completion_mode: "quorum" }, agents });
  expect(told(after.facts)).toEqual(HANDED_OVER);
  expect(after.get("intent", INTENT_ID)?.agents).toEqual(["c", "d", "e", "b"]);
});

test("a fallback agent that the policy does not allow is not assigned", () => {
  const kept = failed({ governance: { allowed_agents: ["refunder"] }, agents: ["refunder"] });
  expect(told(kept.facts)).toEqual(KEPT);
  expect(kept.get("intent", INTENT_ID)?.agents).toEqual(["refunder"]);
  const after = failed({ governance: { allowed_agents: ["refunder", "b"] }, agents: ["refunder"] });
  expect(told(after.facts)).toEqual(HANDED_OVER);
});
