import { expect, test } from "vitest";
import { SYSTEM } from "../../../kernel/principal.ts";
import { AGENT, AUDITOR, DEV, OPERATOR, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow } from "../../../testing/intent-samples.ts";

const PORTFOLIO = {
  kind: "create_portfolio",
  portfolio: { id: "p1", name: "p", description: null, namespace: null, metadata: {}, governance: {} },
} as const;

function grant(part: object = {}) {
  return {
    kind: "grant_coordinator",
    coordinator: {
      id: "c1",
      intentId: INTENT_ID,
      portfolioId: null,
      agentId: "refunder",
      role: "lead",
      supervisorId: null,
      type: "llm",
      scope: "intent",
      guardrails: null,
      heartbeatMs: 1000,
      expiresAt: null,
      metadata: {},
      suspensionPolicy: "isolate",
      ...part,
    },
  } as const;
}

const change = (part: object) =>
  ({ kind: "change_coordinator", coordinatorId: "c1", patch: {}, ...part }) as const;

test("the coordinator of a portfolio adds its own intents to it while it is active", () => {
  const theirs = intentRow({ createdBy: OTHER_AGENT.name, access: "owner" });
  const member = { id: "m1", role: "member", priority: 0 } as const;
  const add = { kind: "add_member", portfolioId: "p1", intentId: INTENT_ID, member } as const;
  const coordinated = given(theirs)
    .when(PORTFOLIO, { by: AGENT })
    .then("portfolio.made")
    .when(grant({ intentId: null, portfolioId: "p1", scope: "portfolio", agentId: OTHER_AGENT.name }), {
      by: AGENT,
    })
    .then("coordinator.granted");
  coordinated
    .when(add, { by: OTHER_AGENT })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  coordinated
    .when(change({ to: "paused" }), { by: OPERATOR })
    .then("coordinator.paused")
    .when(add, { by: OTHER_AGENT })
    .refused("not_allowed");
});

test("an auditor cannot grant a coordinator, and a grant that is already taken names its expiry", () => {
  given(intentRow()).when(grant(), { by: AUDITOR }).refused("not_allowed");
  const taken = given(intentRow())
    .when(grant({ expiresAt: 9_000_000_000_000 }), { by: DEV })
    .then("coordinator.granted")
    .when(grant({ id: "c2" }), { by: DEV })
    .refused("lease_taken");
  expect(taken.reply).toMatchObject({
    failure: { detail: { existing_lease: { expires_at: "2255-03-14T16:00:00.000+00:00" } } },
  });
});

test("pausing a portfolio's coordinator writes only to the coordinator's log, and a completed coordinator cannot be changed", () => {
  const held = given(intentRow())
    .when(PORTFOLIO, { by: DEV })
    .then("portfolio.made")
    .when(grant({ intentId: null, portfolioId: "p1", scope: "portfolio" }), { by: DEV })
    .then("coordinator.granted");
  held.when(change({ to: "paused" }), { by: OPERATOR }).then("coordinator.paused");
  const over = held.when(change({ to: "completed" }), { by: OPERATOR }).then("coordinator.completed");
  over.when(change({}), { by: OPERATOR }).refused("invalid_transition");
  over.when({ kind: "tick_coordinator", coordinatorId: "c1" }, { by: SYSTEM }).then();
  held.when({ kind: "tick_coordinator", coordinatorId: "c1" }, { by: SYSTEM }).then();
});

test("only the coordinator itself or a person can record a coordinator's decision", () => {
  const decision = {
    id: "d1",
    coordinatorId: "c1",
    intentId: INTENT_ID,
    decisionType: "x",
    summary: "",
    rationale: "",
    more: {},
  };
  const command = { kind: "record_coordinator_decision", coordinatorId: "c1", decision } as const;
  const held = given(intentRow()).when(grant(), { by: DEV }).then("coordinator.granted");
  held.when(command, { by: OTHER_AGENT }).refused("not_allowed");
  held.when(command, { by: AGENT }).then("intent.logged");
});
