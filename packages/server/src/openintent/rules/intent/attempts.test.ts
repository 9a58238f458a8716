import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { NO_PLATFORM, type Platform } from "../../../kernel/platform.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import { AGENT, holdIn, NOW } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, MADE, RECORD } from "../../../testing/intent-samples.ts";
import type { Recorded } from "../../../testing/tables.ts";

const by = SYSTEM;
const tick = { kind: "tick_hold", holdId: "h1" } as const;
const POLICY = {
  max_attempts: 3,
  interval_seconds: 10,
  escalation_ladder: [
    { attempt: 2, channel_hint: "email", notify_to: "lead" },
    { attempt: 2, notify_to: "boss" },
  ],
};

function suspended(record: JsonObject = {}, platform: Platform = NO_PLATFORM) {
  const whole = { ...RECORD, channel_hint: "slack", ...record };
  const command = { kind: "suspend_intent", intentId: INTENT_ID, record: whole, made: MADE } as const;
  const { step } = given(intentRow()).when(command, { by: AGENT, platform });
  const types = step.decision.facts.map(({ fact }) => fact.type);
  return given(intentRow())
    .when(command, { by: AGENT, platform })
    .then(...types);
}

/** The type and payload of each entry in the intent's log. */
function logged(facts: readonly Recorded[]) {
  return facts.flatMap(({ fact }) =>
    fact.type === "intent.logged" ? [[fact.entry.type, fact.entry.payload] as const] : [],
  );
}

const names = (facts: readonly Recorded[]) => logged(facts).map(([type]) => type);
const AGAIN = "intent.suspension_renotified";
const UP = "intent.suspension_escalated";

describe("attempts on a suspended intent", () => {
  test("OI-166 each attempt logs a renotification, then one escalation per ladder entry, and changes nothing else", () => {
    const start = suspended({ retry_policy: POLICY });
    const before = start.get("intent", INTENT_ID);
    const after = start
      .when(tick, { by, now: NOW + 10_000 })
      .then("intent.logged", "intent.logged", "intent.logged", "hold.escalated");
    expect(names(after.facts)).toEqual([AGAIN, UP, UP]);
    expect(logged(after.facts).map(([, payload]) => payload)).toEqual([
      {
        suspension_id: "s1",
        attempt: 2,
        max_attempts: 3,
        channel_hint: "email",
        notify_to: "boss",
        next_attempt_at: expect.stringContaining("1970-01-01T00:00:2"),
      },
      { suspension_id: "s1", attempt: 2, escalated_to: "lead", channel_hint: "email" },
      { suspension_id: "s1", attempt: 2, escalated_to: "boss", channel_hint: "email", delivery: "blocked" },
    ]);
    const intent = after.get("intent", INTENT_ID);
    expect(intent).toEqual({ ...before, logged: (before?.logged ?? 0) + 3 });
    expect(after.facts.every(({ actor }) => actor === "system")).toBe(true);
    after.when(tick, { by, now: NOW + 10_001 }).then();
  });

  test("OI-167 OI-177 missed attempts are logged in order and marked as missed, before the expiry is logged", () => {
    const start = suspended({ retry_policy: { ...POLICY, escalation_ladder: [] } });
    const late = start
      .when(tick, { by, now: NOW + 25_000 })
      .then("intent.logged", "intent.logged", "hold.escalated", "hold.escalated");
    expect(logged(late.facts).map(([, { attempt, delivery }]) => [attempt, delivery])).toEqual([
      [2, "missed"],
      [3, undefined],
    ]);
    const over = start.when(tick, { by, now: NOW + 99_000 });
    expect(names(over.step.decision.facts)).toEqual([
      AGAIN,
      AGAIN,
      "intent.suspension_expired",
      "status_changed",
    ]);
    expect(logged(over.step.decision.facts)[2]?.[1]).toMatchObject({ attempts: 3 });
  });

  test("OI-166 ladder entries for the first attempt are logged right after the suspension", () => {
    const retry_policy = { escalation_ladder: [{ attempt: 1, channel_hint: "pager" }] };
    const start = suspended({ retry_policy });
    expect(names(start.facts).slice(-2)).toEqual(["intent.suspended", UP]);
    expect(start.hold().rungs).toMatchObject([{ n: 1, channel: "pager", state: "fired" }]);
  });

  test("OI-166 an escalation without any channel is logged with a null channel_hint", () => {
    const retry_policy = { escalation_ladder: [{ attempt: 1 }] };
    const { facts } = suspended({ channel_hint: "", retry_policy });
    expect(logged(facts).at(-1)?.[1]).toMatchObject({ channel_hint: null, escalated_to: null });
  });

  test("OI-176 an escalation to a recipient outside the allow-list is marked as blocked, and one inside is not", () => {
    const retry_policy = { escalation_ladder: [{ attempt: 1, notify_to: "lead" }] };
    const allowed = { ...NO_PLATFORM, notify: { allow: ["lead"], channels: {} } };
    expect(logged(suspended({ retry_policy }).facts).at(-1)?.[1]).toHaveProperty("delivery", "blocked");
    expect(logged(suspended({ retry_policy }, allowed).facts).at(-1)?.[1]).toEqual({
      suspension_id: "s1",
      attempt: 1,
      escalated_to: "lead",
      channel_hint: "slack",
    });
  });

  test("OI-169 an attempt that an agent has already logged is not logged again", () => {
    const payload = { suspension_id: "s1", attempt: 2 };
    const post = (type: string) => ({ kind: "log_event", intentId: INTENT_ID, type, payload }) as const;
    const after = suspended({ retry_policy: { ...POLICY, escalation_ladder: [{ attempt: 2 }] } })
      .when(post(UP), { by: AGENT })
      .then("intent.logged")
      .when(post(AGAIN), { by: AGENT })
      .then("intent.logged")
      .when(tick, { by, now: NOW + 10_000 })
      .then("hold.escalated");
    after.when(post(AGAIN), { by: AGENT, now: NOW + 10_001 }).refused("already_told");
  });

  test("OI-165 the attempt rungs of a hold placed through another face are logged as attempts, and its reminders are not", () => {
    const rung = (afterMs: number, part: object) => ({
      when: { afterMs },
      kind: "attempt" as const,
      ...part,
    });
    const hold = holdIn({
      id: "h1",
      attachedTo: { domain: "intent", id: INTENT_ID },
      rungs: [
        rung(10, { channel: "email", to: "lead" }),
        rung(10, { channel: "chat" }),
        rung(20, {}),
        rung(20, { kind: "reminder" }),
      ],
    });
    const start = given(intentRow()).when({ kind: "place_hold", hold }, { by: AGENT });
    const placed = given(intentRow())
      .when({ kind: "place_hold", hold }, { by: AGENT })
      .then(...start.step.decision.facts.map(({ fact }) => fact.type));
    const { facts } = placed.when(tick, { by, now: NOW + 10 }).step.decision;
    expect(
      logged(facts).map(([type, { max_attempts, escalated_to }]) => [type, max_attempts, escalated_to]),
    ).toEqual([
      [AGAIN, 3, undefined],
      [UP, undefined, "lead"],
      [UP, undefined, null],
    ]);
    const later = placed.when(tick, { by, now: NOW + 20 }).step.decision.facts;
    expect(names(later)).toEqual([AGAIN, UP, UP, AGAIN]);
  });

  test("a tick of a hold that no longer suspends its intent logs nothing on the intent", () => {
    const start = suspended({ retry_policy: POLICY });
    const intent = start.get("intent", INTENT_ID);
    if (intent === undefined) throw new Error("the suspended intent is missing");
    const { suspension: _gone, ...rest } = intent;
    given(...start.facts).when(tick, { by, now: NOW + 10_000 });
    given(start.hold(), { kind: "intent", id: INTENT_ID, body: { ...rest, status: "active" } })
      .when(tick, { by, now: NOW + 10_000 })
      .then("hold.escalated");
  });
});
