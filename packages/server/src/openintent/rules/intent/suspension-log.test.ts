import { describe, expect, test } from "vitest";
import { AGENT, NOW, OPERATOR } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, MADE, RECORD } from "../../../testing/intent-samples.ts";
import { suspensionLogId } from "./intent.ts";

const on = { intentId: INTENT_ID } as const;
const by = { by: AGENT };

function patch(
  ifVersion: number,
  ...patches: readonly { readonly path: string; readonly value?: unknown }[]
) {
  const all = patches.map((one) => ({ op: "value" in one ? "set" : "remove", ...one }));
  return { kind: "patch_state", ...on, patches: all as never, ifVersion, made: MADE } as const;
}

const write = (part = {}) => ({ path: "/_suspension", value: { ...RECORD, ...part } });

function logRow(payloads: Readonly<Record<string, object>>, part = {}) {
  const body = { ...on, suspensionId: "s1", payloads: payloads as never, told: {}, ...part };
  return { kind: "suspension_log", id: suspensionLogId(INTENT_ID, "s1"), body } as const;
}

const entries = (count: number, payload: object = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at + 1), payload]));

describe("what the log keeps about one suspension", () => {
  test("a record that was written 1,000 times is refused with too_many, and one with another id is not", () => {
    const full = given(intentRow({ pending: RECORD }), logRow(entries(1_000)));
    full.when(patch(1, write({ question: "And now?" })), by).refused("too_many");
    full.when(patch(1, write({ id: "s2" })), by).then("intent.logged");
    const almost = given(intentRow({ pending: RECORD }), logRow(entries(999)));
    almost.when(patch(1, write({ question: "And now?" })), by).then("intent.logged");
  });

  test("a record is refused with too_many once two mebibytes are kept about its suspension", () => {
    const large = entries(2, { text: "x".repeat(1024 * 1024) });
    given(intentRow({ pending: RECORD }), logRow(large))
      .when(patch(1, write({ question: "And now?" })), by)
      .refused("too_many");
    given(intentRow({ pending: RECORD }), logRow(large))
      .when(patch(1, { path: "/_suspension/question", value: "And now?" }), by)
      .refused("too_many");
  });

  test("a record whose row is full can be removed and can suspend the intent, and the suspension can be answered", () => {
    const full = given(intentRow({ pending: RECORD }), logRow(entries(1_000)));
    full.when(patch(1, { path: "/_suspension" }), by).then("intent.logged");
    const status = { kind: "set_status", ...on, status: "suspended_awaiting_input" } as const;
    const suspended = full
      .when({ ...status, ifVersion: 1, made: MADE }, by)
      .then("intent.logged", "hold.placed", "intent.logged");
    const respond = { kind: "respond_to_suspension", ...on, suspensionId: "s1", value: "approve" } as const;
    suspended
      .when({ ...respond, made: MADE }, { by: OPERATOR, now: NOW + 1 })
      .then("hold.decided", "intent.logged", "intent.logged");
  });

  test("agents cannot log attempts about a suspension beyond the bound, and the server goes on logging its own", () => {
    const record = { ...RECORD, retry_policy: { max_attempts: 3, interval_seconds: 60 } };
    const suspend = { kind: "suspend_intent", ...on, record, made: MADE } as const;
    const placed = given(intentRow()).when(suspend, by).then("intent.logged", "hold.placed", "intent.logged");
    const log = placed.get("suspension_log", suspensionLogId(INTENT_ID, "s1"));
    const intent = placed.get("intent", INTENT_ID);
    const full = given(
      intentRow(intent),
      placed.hold(),
      logRow(entries(1_000), { told: log?.told, holdId: "h1" }),
    );
    const payload = { suspension_id: "s1", attempt: 7 };
    const event = { kind: "log_event", ...on, type: "intent.suspension_renotified", payload } as const;
    placed.when(event, by).then("intent.logged");
    full.when(event, by).refused("too_many");
    const ticked = full.when({ kind: "tick_hold", holdId: "h1" }, { now: NOW + 60_000 });
    expect(ticked.step.decision.facts.map(({ fact }) => fact.type)).toContain("intent.logged");
  });

  test("a state that is sent back whole with an unchanged record adds nothing to the suspension's row", () => {
    const start = given(intentRow({ pending: RECORD }), logRow(entries(1)));
    const state = { step: 2, _suspension: RECORD };
    const after = start.when(patch(1, { path: "", value: state }), by).then("intent.logged");
    expect(after.facts[0]?.fact).toMatchObject({
      entry: { payload: { patches: [{ op: "set", path: "", value: { step: 2 } }] } },
    });
    expect(after.facts[0]?.fact).not.toHaveProperty("entry.keptWith");
    expect(after.get("intent", INTENT_ID)).toMatchObject({ state: { step: 2 }, pending: { id: "s1" } });
    expect(after.get("suspension_log", suspensionLogId(INTENT_ID, "s1"))?.payloads).toEqual(entries(1));
  });

  test("the removal of a record is kept with that record, not with the suspension before it", () => {
    const ref = { id: "s0", holdId: "h0" };
    const start = given(intentRow({ pending: RECORD, suspension: ref }), logRow(entries(1)));
    const after = start.when(patch(1, { path: "/_suspension" }), by).then("intent.logged");
    expect(after.get("suspension_log", suspensionLogId(INTENT_ID, "s1"))?.payloads).toHaveProperty("2");
    expect(after.get("suspension_log", suspensionLogId(INTENT_ID, "s0"))).toBeUndefined();
  });

  test("a record that gets another id by a patch of its id alone is kept with what was kept under that id", () => {
    const other = { ...logRow(entries(3)).body, suspensionId: "s2" };
    const row = { kind: "suspension_log", id: suspensionLogId(INTENT_ID, "s2"), body: other } as const;
    const after = given(intentRow({ pending: RECORD, logged: 9 }), row)
      .when(patch(1, { path: "/_suspension/id", value: "s2" }), by)
      .then("intent.logged");
    expect(Object.keys(after.get("suspension_log", row.id)?.payloads ?? {})).toHaveLength(4);
  });
});
