import { describe, expect, test } from "vitest";
import { SYSTEM } from "../../../kernel/principal.ts";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  DEV,
  OPERATOR,
  OTHER_AGENT,
  openHold,
} from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import {
  closedFor,
  FAILURE,
  INTENT_ID,
  intentBody,
  intentCheckpoint,
  intentRow,
  lease,
  MADE,
  RECORD,
  subscription,
  told,
} from "../../../testing/intent-samples.ts";
import { worldWith } from "../../../testing/tables.ts";
import { LEVELS, suspensionLogId } from "./intent.ts";
import { openHoldOf } from "./open-hold.ts";
import { expiredPayload, responseOf, suspendedPayload, suspensionOf } from "./suspension.ts";
import { actingAgent, actorOf, failedAgent, kindOf, may, whyNotMove, whyNotShare } from "./who.ts";
import { readTime, wireTime } from "./wire-time.ts";

const on = { intentId: INTENT_ID } as const;
const suspend = { kind: "suspend_intent", ...on, record: RECORD, made: MADE } as const;
const respond = {
  kind: "respond_to_suspension",
  ...on,
  suspensionId: "s1",
  value: "approve",
  made: MADE,
} as const;
const cancel = { kind: "cancel_suspension", ...on, suspensionId: "s1" } as const;

/** An intent suspended by hold `h1`, with the suspension id `s1`. */
function suspended(part = {}) {
  return given(intentRow(part))
    .when(suspend, { by: AGENT })
    .then("intent.logged", "hold.placed", "intent.logged");
}

describe("access levels on intents", () => {
  const patch = {
    kind: "patch_state",
    ...on,
    patches: [{ op: "set", path: "a", value: 1 }],
    ifVersion: 1,
    made: MADE,
  } as const;
  const commands = [
    [suspend, "write"],
    [patch, "write"],
    [{ kind: "set_status", ...on, status: "blocked", ifVersion: 1, made: MADE }, "admin"],
    [{ kind: "log_event", ...on, type: "comment", payload: {} }, "write"],
    [{ kind: "acquire_lease", ...on, leaseId: "l", scope: "s", agentId: "stranger", durationMs: 1 }, "write"],
    [{ kind: "set_acl", ...on, policy: "open", entries: [] }, "admin"],
    [{ kind: "set_governance", ...on, policy: null, ifVersion: 1 }, "admin"],
    [{ kind: "assign_agent", ...on, agentId: "a" }, "write"],
    [
      {
        kind: "set_retry_policy",
        ...on,
        policy: {
          id: "r",
          strategy: "none",
          maxRetries: 0,
          baseDelayMs: 0,
          maxDelayMs: 0,
          failureThreshold: 1,
        },
      },
      "admin",
    ],
    [{ kind: "record_failure", ...on, failure: { ...FAILURE, agentId: "stranger" } }, "write"],
    [
      {
        kind: "record_decision",
        ...on,
        decision: { id: "d", decisionType: "t", outcome: "o", reasoning: "" },
      },
      "write",
    ],
  ] as const;

  test("an agent acts and reports failures as itself only; an admin acts for others, and people report anybody's failures", () => {
    const mismatch = expect.objectContaining({ code: "agent_mismatch" });
    expect([actingAgent(AGENT), actingAgent(AGENT, "other")]).toEqual([AGENT.name, mismatch]);
    expect([failedAgent(AGENT), failedAgent(AGENT, "other")]).toEqual([AGENT.name, mismatch]);
    expect(actingAgent({ ...AGENT, role: "admin" }, "other")).toBe("other");
    const operator = { ...AGENT, role: "operator" } as const;
    expect([failedAgent(operator), failedAgent(operator, "other")]).toEqual([AGENT.name, "other"]);
    const row = given(intentRow());
    const failure = { ...FAILURE, agentId: "other" };
    row.when({ kind: "record_failure", ...on, failure }, { by: AGENT }).refused("agent_mismatch");
    const lease = {
      kind: "acquire_lease",
      ...on,
      leaseId: "l",
      scope: "s",
      agentId: "other",
      durationMs: 1,
    } as const;
    row.when(lease, { by: AGENT }).refused("agent_mismatch");
  });

  test.each(commands)("the command %j is refused below its access level on the intent", (command, level) => {
    for (const held of ["read", "write", "admin"] as const) {
      const start = given(intentRow({ acl: closedFor(["stranger", held]) }));
      const enough = held === "admin" || held === level;
      const { decision } = start.when(command, { by: OTHER_AGENT }).step;
      expect({ held, ok: decision.reply.ok }).toEqual({ held, ok: enough });
    }
    given().when(command, { by: AGENT }).refused("not_found");
  });

  const bare = { createdBy: "refunder", agents: [], leases: [] };
  const levelOf = (intent: Parameters<typeof may>[0], by: Parameters<typeof may>[1], now = 0) =>
    LEVELS.findLast((level) => may(intent, by, level, now)) ?? null;

  test("a principal's access level comes from its role, the access list and being the creator", () => {
    const closed = { ...bare, acl: closedFor(["stranger", "read"], ["stranger", "write"], ["ada", "read"]) };
    const everybody = [AGENT, OTHER_AGENT, OPERATOR, ADMIN, DEV, SYSTEM, AUDITOR, APP];
    const levels = ["admin", "write", "write", "admin", "admin", "admin", "read", null];
    expect(everybody.map((by) => levelOf(closed, by))).toEqual(levels);
    expect(everybody.map((by) => levelOf({ ...closed, access: "owner" }, by))).toEqual(levels);
    const own = { ...bare, access: "owner" } as const;
    const alone = ["admin", null, "admin", "admin", "admin", "admin", "read", null];
    expect(everybody.map((by) => levelOf(own, by))).toEqual(alone);
    for (const access of [undefined, "open"] as const) {
      const open = access === undefined ? bare : { ...bare, access };
      expect(everybody.map((by) => levelOf(open, by))).toEqual([...Array(6).fill("admin"), "read", "admin"]);
    }
    const brief = {
      policy: "closed",
      entries: closedFor(["stranger", "read"]).entries.map((entry) => ({ ...entry, expiresAt: 10 })),
    } as const;
    const listed = [9, 10].map((now) => levelOf({ ...bare, acl: brief }, OTHER_AGENT, now));
    expect(listed).toEqual(["read", null]);
  });

  test("an agent that is named on an intent gets what the role needs, and no more (attack 6)", () => {
    const own = { ...bare, access: "owner" } as const;
    const lease = { id: "l", scope: "s", acquiredAt: 0, durationMs: 1, expiresAt: 1, agentId: "stranger" };
    const shared = {
      assigned: [{ ...own, agents: ["stranger"] }, "write", true],
      "a task": [{ ...own, workers: { t: "stranger" } }, "write", true],
      coordinator: [{ ...own, coordinatorAgent: "stranger" }, "write", true],
      lease: [{ ...own, leases: [{ ...lease, status: "active" }] }, "write", false],
      "an ended lease": [{ ...own, leases: [{ ...lease, status: "expired" }] }, null, false],
      "a task elsewhere": [{ ...own, helpers: { t: "stranger" } }, "write", false],
      "its portfolio": [{ ...own, portfolioOwners: { p: "stranger" } }, "read", false],
      nobody: [own, null, false],
    } as const;
    for (const [how, [intent, level, works]] of Object.entries(shared)) {
      const got = [levelOf(intent, OTHER_AGENT), whyNotMove(intent, OTHER_AGENT, 0) === null];
      expect({ how, got }).toEqual({ how, got: [level, works] });
      expect(whyNotShare(intent, OTHER_AGENT, 0) === null, how).toBe(works);
      expect(levelOf(intent, { ...OTHER_AGENT, name: "third" })).toBeNull();
    }
    expect(whyNotShare(bare, OTHER_AGENT, 0)).toBeNull();
  });

  test("an agent or app named like the creator does not own what another kind of principal created", () => {
    const made = (by: typeof AGENT) => ({ ...bare, access: "owner", creatorKind: kindOf(by) }) as const;
    const named = [AGENT, APP, AUDITOR].map((by) => ({ ...by, name: "refunder" }));
    const owns = [AGENT, APP, OPERATOR, DEV].map((by) => named.map((viewer) => levelOf(made(by), viewer)));
    expect(owns).toEqual([
      ["admin", null, "read"],
      [null, "admin", "read"],
      [null, null, "read"],
      ["admin", null, "read"],
    ]);
  });

  test("an intent's log names the actor and never shows a key", () => {
    expect([SYSTEM, AGENT, { ...OPERATOR, via: "session" as const }].map(actorOf)).toEqual([
      "system",
      "refunder",
      "ada",
    ]);
    expect(actorOf({ role: "reviewer", via: "link", id: "link_1", name: "" })).toBe("link:link_1");
  });

  test("renewing and releasing a lease and cancelling a suspension need write access", () => {
    const start = given(
      intentRow({ acl: closedFor(["stranger", "read"]), leases: [lease({ agentId: "stranger" })] }),
    );
    const its = { ...on, leaseId: "lease_1", agentId: "stranger" } as const;
    start.when({ kind: "renew_lease", ...its, durationMs: 1 }, { by: OTHER_AGENT }).refused("not_allowed");
    start.when({ kind: "release_lease", ...its }, { by: OTHER_AGENT }).refused("not_allowed");
    given(intentRow({ acl: closedFor(["stranger", "read"]) }))
      .when(cancel, { by: OTHER_AGENT })
      .refused("not_allowed");
  });
});

describe("suspensions", () => {
  test("suspending an intent writes its status, hold and suspension event in one commit", () => {
    const after = suspended();
    expect(told(after.facts)).toEqual(["status_changed", "hold.placed", "intent.suspended"]);
    expect(after.get("intent", INTENT_ID)).toMatchObject({
      version: 2,
      suspension: { id: "s1", holdId: "h1" },
      logged: 3,
    });
    expect(after.get("suspension_log", suspensionLogId(INTENT_ID, "s1"))).toMatchObject({
      holdId: "h1",
      told: { "intent.suspended": 3 },
    });
  });

  test("a suspension record that a review page could not show is refused", () => {
    const long = { ...RECORD, question: "x".repeat(20_001) };
    given(intentRow())
      .when({ ...suspend, record: long }, { by: AGENT })
      .refused("invalid_record");
    given(intentRow())
      .when({ ...suspend, record: { ...RECORD, question: " " } }, { by: AGENT })
      .refused("invalid_record");
    const unnamed = [{ value: "a", label: "" }];
    given(intentRow())
      .when({ ...suspend, record: { ...RECORD, choices: unnamed } }, { by: AGENT })
      .refused("invalid_record");
    const pending = given(intentRow({ pending: long }));
    const status = {
      kind: "set_status",
      ...on,
      status: "suspended_awaiting_input",
      ifVersion: 1,
      made: MADE,
    } as const;
    pending.when(status, { by: AGENT }).refused("invalid_record");
  });

  test("suspending again is accepted only with the same record", () => {
    const after = suspended();
    after.when(suspend, { by: AGENT }).then();
    after
      .when({ ...suspend, record: { ...RECORD, question: "Else?" } }, { by: AGENT })
      .refused("intent_suspended");
    const lost = given(intentRow({ suspension: { id: "s1", holdId: "gone" } }));
    lost.when(suspend, { by: AGENT }).then("intent.logged", "hold.placed", "intent.logged");
  });

  test("a suspended intent without its hold throws an error that says so", () => {
    const broken = given(
      intentRow({ status: "suspended_awaiting_input", suspension: { id: "s1", holdId: "gone" } }),
    );
    expect(() => broken.when(respond)).toThrow("has no open hold");
    expect(() => openHoldOf(intentBody(), worldWith())).toThrow("has no open hold");
    expect(() => suspendedPayload(INTENT_ID, openHold({ ask: null }))).toThrow("has no ask");
  });

  test("the end of a hold resumes the intent it suspends, and no other intent", () => {
    const after = suspended();
    const answered = after.when({
      kind: "answer_hold",
      holdId: "h1",
      action: "select",
      data: { selected: ["deny"] },
      door: "rest",
    });
    expect(told(answered.step.decision.facts)).toEqual(["hold.decided", "intent.resumed", "status_changed"]);
    const stray = given(intentRow(), openHold({ intentId: INTENT_ID }));
    stray.when({ kind: "cancel_hold", holdId: "h1" }).then("hold.cancelled");
    given(openHold({ intentId: "intent_gone" }))
      .when({ kind: "cancel_hold", holdId: "h1" })
      .then("hold.cancelled");
  });

  test("the record of an erased hold shows erased_at, or leaves it out if it is unknown", () => {
    const ref = { id: "s1", holdId: "h1" };
    expect(suspensionOf(openHold({ ask: null, erasedAt: 0 }), ref, true)).toMatchObject({
      id: "s1",
      erased_at: wireTime(0),
    });
    expect(suspensionOf(openHold({ ask: null }), ref, true)).not.toHaveProperty("erased_at");
  });

  test("the record of a hold from another face shows its timeout default, and an expiry without a deadline shows a null expires_at", () => {
    const ref = { id: "s1", holdId: "h1" };
    const fallback = (onTimeout: object) =>
      suspensionOf(openHold({ onTimeout }), ref, true)["fallback_value"];
    expect([{}, { action: "skip" }, { data: { a: 1 } }, { data: { value: 2 } }].map(fallback)).toEqual([
      undefined,
      "skip",
      { a: 1 },
      2,
    ]);
    expect(expiredPayload(INTENT_ID, openHold(), { kind: "expired", at: 0 })).toMatchObject({
      expires_at: null,
      expired_at: wireTime(0),
    });
  });

  test("erasing a hold erases what the intent's log quoted of it", () => {
    const after = suspended()
      .when(respond, { by: OPERATOR })
      .then("hold.decided", "intent.logged", "intent.logged");
    const erased = after
      .when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN, now: 5_000 })
      .then("intent.suspension_erased", "hold.erased");
    expect(erased.get("suspension_log", suspensionLogId(INTENT_ID, "s1"))).toMatchObject({
      payloads: {},
      erasedAt: 5_000,
    });
    const alone = given(openHold({ intentId: INTENT_ID, status: "cancelled" }));
    alone.when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN }).then("hold.erased");
  });
});

describe("due timers", () => {
  test("timers that are due are applied before a command and are kept even if the command is refused", () => {
    const start = given(intentRow({ leases: [lease({ expiresAt: 1_000 })] }));
    const log = { kind: "log_event", ...on, type: "comment", payload: {} } as const;
    start.when(log, { by: AGENT, now: 1_000 }).then("intent.logged", "intent.logged");
    const unknown = { ...log, type: "unknown" } as const;
    start.when(unknown, { by: AGENT, now: 1_000 }).refused("unknown_event_type", "intent.logged");
    const ticked = start
      .when({ kind: "tick_intent", ...on }, { by: SYSTEM, now: 1_000 })
      .then("intent.logged");
    ticked.when(log, { by: AGENT, now: 1_000 }).then("intent.logged");
    start.when({ kind: "tick_intent", ...on }, { by: SYSTEM, now: 999 }).then();
    given()
      .when({ kind: "tick_intent", ...on }, { by: SYSTEM })
      .refused("not_found");
  });

  test("a tick keeps the leases and retries of a suspended intent and the retries of a completed one", () => {
    const due = { leases: [lease({ expiresAt: 1 })], retry: { failureId: "f", attempt: 1, at: 1 } };
    const waiting = given(
      intentRow({
        ...due,
        status: "suspended_awaiting_input",
        asker: { role: "agent", id: "k", name: "refunder" },
      }),
    );
    waiting.when({ kind: "tick_intent", ...on }, { by: SYSTEM, now: 10 }).then();
    const done = given(intentRow({ ...due, status: "completed" }));
    expect(
      told(done.when({ kind: "tick_intent", ...on }, { by: SYSTEM, now: 10 }).step.decision.facts),
    ).toEqual(["lease_released"]);
  });
});

describe("other intent commands", () => {
  test("an intent keeps only the last 50 ended leases", () => {
    const ended = Array.from({ length: 60 }, (_, n) =>
      lease({ id: `lease_${n}`, scope: `${n}`, status: "released" }),
    );
    const after = given(intentRow({ leases: [...ended, lease({ id: "held" })] }))
      .when({ kind: "release_lease", ...on, leaseId: "held", agentId: "refunder" }, { by: AGENT })
      .then("intent.logged");
    expect(after.get("intent", INTENT_ID)?.leases).toHaveLength(50);
    expect(after.get("intent", INTENT_ID)?.leases.at(-1)?.id).toBe("held");
  });

  test("the last failure hands over to a fallback agent that was already assigned", () => {
    const policy = {
      id: "r",
      strategy: "none",
      maxRetries: 0,
      baseDelayMs: 0,
      maxDelayMs: 0,
      failureThreshold: 1,
      fallbackAgentId: "b",
      madeAt: 0,
      changedAt: 0,
    } as const;
    const after = given(intentRow({ retryPolicy: policy, agents: ["a", "b", "refunder"] }))
      .when({ kind: "record_failure", ...on, failure: FAILURE }, { by: AGENT })
      .then("intent.logged", "intent.logged", "intent.logged");
    expect(after.get("intent", INTENT_ID)?.agents).toEqual(["a", "b"]);
  });

  test("abandoning an intent stores the reason if there is one", () => {
    const status = {
      kind: "set_status",
      ...on,
      status: "abandoned",
      reason: "budget",
      ifVersion: 1,
      made: MADE,
    } as const;
    const after = given(intentRow()).when(status, { by: AGENT }).then("intent.logged");
    expect(after.get("intent", INTENT_ID)?.abandonmentReason).toBe("budget");
    const none = given(intentRow())
      .when({ ...status, reason: undefined as unknown as string }, { by: AGENT })
      .then("intent.logged");
    expect(none.get("intent", INTENT_ID)).not.toHaveProperty("abandonmentReason");
  });

  test("a checkpoint is stored only if it is contiguous and covers existing events", () => {
    const keep = (
      part: Parameters<typeof intentCheckpoint>[0],
      start: Parameters<typeof intentBody>[0] = {},
    ) =>
      given(intentRow({ logged: 3, ...start })).when(
        { kind: "keep_intent_checkpoint", ...on, checkpoint: intentCheckpoint(part) },
        { by: SYSTEM },
      );
    keep({ lastSeq: 3 }).then("intent.changed");
    keep({ firstSeq: 3, lastSeq: 3 }, { checkpointed: 2 }).then("intent.changed");
    for (const wrong of [{ firstSeq: 2, lastSeq: 3 }, { lastSeq: 0 }, { lastSeq: 4 }])
      keep(wrong).refused("nothing_to_sign");
  });

  test("an agent can log an escalation of a suspension once per attempt, with or without a number", () => {
    const log = { kind: "log_event", ...on, type: "intent.suspension_escalated" } as const;
    const after = suspended()
      .when({ ...log, payload: { suspension_id: "s1" } }, { by: AGENT })
      .then("intent.logged");
    after.when({ ...log, payload: { suspension_id: "s1" } }, { by: AGENT }).refused("already_told");
    after.when({ ...log, payload: { suspension_id: "s1", attempt: 2 } }, { by: AGENT }).then("intent.logged");
    after
      .when({ ...log, payload: { suspension_id: "x".repeat(201) } }, { by: AGENT })
      .refused("not_suspended");
  });

  test("a subscription expires once, and only its owner or a manager can remove it", () => {
    const row = (part = {}) => ({ kind: "subscription", id: "sub_1", body: subscription(part) }) as const;
    const expire = { kind: "expire_subscription", subscriptionId: "sub_1" } as const;
    const after = given(row()).when(expire, { by: SYSTEM }).then("subscription.expired");
    expect(after.get("subscription", "sub_1")?.active).toBe(false);
    after.when(expire, { by: SYSTEM }).then();
    given().when(expire, { by: SYSTEM }).refused("not_found");
    given(row({ intentId: "intent_gone" }))
      .when({ ...expire, kind: "remove_subscription" }, { by: AGENT })
      .then("subscription.removed");
  });

  test("a state or patch that is too large or malformed is refused", () => {
    const state = { text: "x".repeat(1_100_000) };
    const intent = {
      id: "i2",
      title: "t",
      description: "",
      dependsOn: [],
      constraints: {},
      state,
      confidence: 0,
    };
    given().when({ kind: "create_intent", intent }, { by: AGENT }).refused("invalid_patch");
    const into = { kind: "patch_state", ...on, ifVersion: 1, made: MADE } as const;
    const wrong = [{ op: "append", path: "/_suspension", value: 1 }] as const;
    given(intentRow({ pending: RECORD }))
      .when({ ...into, patches: wrong }, { by: AGENT })
      .refused("invalid_patch");
    given(intentRow())
      .when({ ...into, patches: [{ op: "set", path: "/" }] }, { by: AGENT })
      .refused("invalid_patch");
    given(intentRow())
      .when({ ...into, patches: [{ op: "append", path: "/" }] }, { by: AGENT })
      .refused("invalid_patch");
  });

  test.for([{ _suspension: null }, { _suspension_history: [] }])(
    "an intent created with what the server shows under its state, %o, keeps only the rest of it",
    (shown) => {
      const { id, title, description, dependsOn, constraints, confidence } = intentBody();
      const state = { order: "o-1", ...shown };
      const intent = { id, title, description, dependsOn, constraints, confidence, state };
      const after = given().when({ kind: "create_intent", intent }, { by: AGENT }).then("intent.logged");
      expect(after.get("intent", id)).toMatchObject({ state: { order: "o-1" } });
      expect(after.get("intent", id)).not.toHaveProperty("pending");
      expect(after.get("intent", id)?.state).toEqual({ order: "o-1" });
    },
  );

  test("G7 a response that came by a link in the asker's hands says so, and carries no person's name", () => {
    const claimed = { name: "Ada" };
    const by = { kind: "link", id: "link:link_1", givenTo: "asker", claimed } as const;
    const outcome = { kind: "decided", action: "approve", data: {}, at: 0, door: "page", by } as const;
    const hold = openHold({ status: "decided", outcome });
    expect(responseOf(hold, outcome, true)).toMatchObject({
      responded_by: "link:link_1",
      link_given_to: "asker",
    });
  });

  test("times are read in the common ISO 8601 forms and in no others", () => {
    expect(
      ["2026-01-01T00:00:00", "2026-01-01 00:00", "2026-01-01T01:00:00+01:00", "2026-01-01T00:00:00,5z"].map(
        readTime,
      ),
    ).toEqual([0, 0, 0, 500].map((ms) => Date.UTC(2026, 0, 1) + ms));
    for (const wrong of ["", "now", "2026-13-01T00:00:00", "2026-01-01", "2026-01-01T25:00:00Z"])
      expect(readTime(wrong)).toBeNull();
  });
});
