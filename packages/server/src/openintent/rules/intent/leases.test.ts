import { expect, test } from "vitest";
import { SYSTEM } from "../../../kernel/principal.ts";
import { AGENT, NOW } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, lease, MADE, RECORD } from "../../../testing/intent-samples.ts";
import type { Intent, Lease } from "./intent.ts";

const on = { intentId: INTENT_ID } as const;
const by = { by: AGENT };

const many = (count: number, part: Partial<Lease> = {}) =>
  Array.from({ length: count }, (_, at) => lease({ id: `l${at}`, scope: `s${at}`, ...part }));

/** How many lists of leases a command made: one, however many leases changed, is linear work. */
function listsMade(facts: readonly { readonly fact: object }[]): number {
  return new Set(facts.map(({ fact }) => ("intent" in fact ? (fact.intent as Intent).leases : undefined)))
    .size;
}

test("an intent has at most 200 active leases, and takes another once one has ended", () => {
  const later = { expiresAt: NOW + 10_000 };
  const acquire = { kind: "acquire_lease", ...on, leaseId: "l", scope: "s", agentId: "refunder" } as const;
  const take = { ...acquire, durationMs: 1_000 };
  const full = given(intentRow({ leases: many(200, later) }));
  full.when(take, by).refused("too_many");
  full
    .when({ kind: "release_lease", ...on, leaseId: "l7", agentId: "refunder" }, by)
    .then("intent.logged")
    .when(take, by)
    .then("intent.logged");
});

test("a lease that was held while many others ended is listed when it ends, and those that ended first are forgotten", () => {
  const held = lease({ id: "held", scope: "held", expiresAt: NOW + 10_000 });
  const ended = many(51, { status: "released", endedAt: NOW });
  const intent = given(intentRow({ leases: [held, ...ended] }));
  const after = intent
    .when({ kind: "release_lease", ...on, leaseId: "held", agentId: "refunder" }, by)
    .then("intent.logged");
  const ids = after.get("intent", INTENT_ID)?.leases.map(({ id }) => id);
  expect(ids).toEqual(["held", ...ended.slice(2).map(({ id }) => id)]);
});

test("many leases expire at once, with one event each, in linear time (G13)", () => {
  const { facts, get } = given(intentRow({ leases: many(300) }))
    .when({ kind: "tick_intent", ...on }, { by: SYSTEM, now: 10_000 })
    .then(...Array<string>(300).fill("intent.logged"));
  expect(listsMade(facts)).toBe(1);
  expect(get("intent", INTENT_ID)).toMatchObject({ logged: 301 });
  expect(get("intent", INTENT_ID)?.leases.map(({ id, status, endedAt }) => [id, status, endedAt])).toEqual(
    many(300)
      .slice(-50)
      .map(({ id }) => [id, "expired", 10_000]),
  );
});

test("more leases than one step may end, which earlier versions allowed, expire in several steps", () => {
  const tick = { kind: "tick_intent", ...on } as const;
  const first = given(intentRow({ leases: many(700) })).when(tick, { by: SYSTEM, now: 10_000 });
  expect(first.step.decision.facts).toHaveLength(500);
  const rest = first
    .then(...Array<string>(500).fill("intent.logged"))
    .when(tick, { by: SYSTEM, now: 10_000 });
  rest.then(...Array<string>(200).fill("intent.logged"));
});

test("many leases are renewed when a suspension ends, in linear time (G13)", () => {
  const leases = many(300, { expiresAt: NOW + 1 });
  const suspended = given(intentRow({ leases }))
    .when({ kind: "suspend_intent", ...on, record: RECORD, made: MADE }, by)
    .then("intent.logged", "hold.placed", "intent.logged");
  const cancel = { kind: "cancel_suspension", ...on, suspensionId: "s1" } as const;
  const now = NOW + 60_000;
  const { step } = suspended.when(cancel, { ...by, now });
  const renewed = step.decision.facts.filter(
    ({ fact }) => fact.type === "intent.logged" && fact.entry.type === "lease_acquired",
  );
  expect(renewed).toHaveLength(300);
  expect(listsMade(renewed)).toBe(1);
  const last = renewed.at(-1)?.fact;
  expect(last).toMatchObject({
    intent: { leases: leases.map(({ id }) => ({ id, expiresAt: now + 10_000 })) },
  });
});

test("the leases of an agent that failed are released in linear time when another takes over (G13)", () => {
  const leases = many(60, { expiresAt: NOW + 10_000 });
  const policy = { id: "r", strategy: "none", maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0 } as const;
  const retryPolicy = { ...policy, failureThreshold: 1, fallbackAgentId: "second", madeAt: 0, changedAt: 0 };
  const failure = {
    id: "f",
    agentId: "refunder",
    attempt: 1,
    errorCode: "E",
    errorMessage: "",
    metadata: {},
  };
  const { step } = given(intentRow({ leases, retryPolicy, agents: ["refunder"] })).when(
    { kind: "record_failure", ...on, failure },
    by,
  );
  const released = step.decision.facts.filter(
    ({ fact }) => fact.type === "intent.logged" && fact.entry.type === "lease_released",
  );
  expect(released).toHaveLength(60);
  expect(listsMade(released)).toBe(1);
});
