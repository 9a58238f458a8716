import { describe, expect, test } from "vitest";
import { DOMAINS, TABLE } from "../domains.ts";
import { openHold } from "../testing/core-samples.ts";
import { draftOver, testJudge } from "../testing/core-step.ts";
import { given } from "../testing/given.ts";
import { INTENT_ID, intentRow, lease } from "../testing/intent-samples.ts";
import { worldWith } from "../testing/tables.ts";
import { rulesOf } from "./attachment.ts";
import { AGAIN } from "./draft.ts";
import { NO_PLATFORM } from "./platform.ts";
import { SYSTEM } from "./principal.ts";
import type { SealedEvent } from "./record.ts";
import { Table } from "./table.ts";

describe("the table of all domains", () => {
  test("every kind with a timer has a command in the table, and the server gives that command", () => {
    const key = { workspace: "w", id: "x" };
    const timed = TABLE.kinds.filter((kind) => TABLE.tickOf({ ...key, kind }) !== undefined);
    expect(timed.toSorted()).toEqual([
      "account_code",
      "browser_token",
      "challenge",
      "chat_press",
      "chat_question",
      "check",
      "coordinator",
      "hold",
      "intent",
      "plan",
      "portfolio",
      "release",
      "session",
      "subscription",
      "task",
      "thread",
    ]);
    for (const kind of timed) {
      const command = TABLE.tickOf({ ...key, kind });
      expect(command).toMatchObject({ workspace: "w", by: SYSTEM });
      expect(TABLE.aboutOf(command as never), kind).toBe(kind);
    }
  });

  test("a kind, a command or a fact that no domain declares is a broken invariant that says its name", () => {
    expect(() => TABLE.indexNames("nonsense")).toThrow("no domain declares the kind of entity nonsense");
    expect(() => TABLE.aboutOf({ kind: "nonsense", workspace: "w", by: SYSTEM })).toThrow(
      "no domain declares the command nonsense",
    );
    const record = { kind: "hold", id: "h1", fact: { type: "nonsense" }, at: 1, actor: "system" };
    expect(() => TABLE.evolve(worldWith(), record)).toThrow("no domain declares the fact nonsense");
    expect(() => new Table({ intent: DOMAINS.intent })).toThrow("no domain declares the kind of entity hold");
  });

  test("a hold that is attached to an unknown domain is a broken invariant that says its name", () => {
    expect(() => rulesOf({ domain: "nonsense", id: "1" }, worldWith())).toThrow(
      "attached to the domain nonsense, which is not registered",
    );
  });

  test("only the log of a hold is salted, and an entity that is gone has no salt", () => {
    expect(TABLE.saltOf("hold", openHold())).toBe("salt-1");
    expect(TABLE.saltOf("hold", undefined)).toBeNull();
    expect(TABLE.saltOf("thread", {})).toBeNull();
  });
});

test("an event of an intent whose portfolio is gone is still sent to the intent's own subscribers", () => {
  const watcher = { id: "sub_1", eventTypes: [], owner: { role: "dev", name: "dev" } } as const;
  const intent = intentRow({ portfolios: ["gone"], watchers: [watcher] });
  const record = { kind: "intent", id: INTENT_ID, fact: { type: "intent.logged" }, at: 1, actor: "system" };
  const event = {
    workspace: "w",
    stream: `intent:${INTENT_ID}`,
    seq: 1,
    type: "comment",
    at: 1,
  } as SealedEvent;
  const rows = TABLE.messages(record, event, worldWith(intent), NO_PLATFORM);
  expect(rows).toMatchObject([{ endpoint: "sub_1", kind: "webhook" }]);
});

test("G3: a hold that is attached to nothing and has a deadline ends at it with a reason", () => {
  const after = given(openHold({ deadlineAt: 5 }))
    .when({ kind: "tick_hold", holdId: "h1" }, { by: SYSTEM, now: 9 })
    .then("hold.expired");
  expect(after.hold().outcome).toEqual({
    kind: "expired",
    at: 5,
    default: { action: "abort" },
    reason: "deadline",
  });
});

test("a command that needs more once the clock has had its say is decided again, and what the clock decided stays", () => {
  const { rows } = given(intentRow({ leases: [lease({ expiresAt: 1_000 })] }));
  const draft = draftOver(rows);
  draft.hasLoaded = () => false;
  const command = {
    kind: "log_event",
    workspace: "default",
    by: SYSTEM,
    intentId: INTENT_ID,
    type: "comment",
    payload: {},
  };
  const context = { now: 1_000, platform: NO_PLATFORM, judge: testJudge, digest: () => "" };
  expect(TABLE.decide(command, draft, context)).toBe(AGAIN);
  draft.rollBack();
  expect(draft.facts.map(({ fact }) => fact.type)).toEqual(["intent.logged"]);
});
