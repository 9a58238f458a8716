import { describe, expect, it } from "vitest";
import type { Hold } from "../client/index.ts";
import type { JsonObject } from "../rules/index.ts";
import {
  answerOf,
  canSubmit,
  cardKindOf,
  chooseForm,
  createCardRegistry,
  type Desk,
  draftOf,
  type Interrupt,
  interruptAnswerOf,
  interruptOf,
  isComposerBlocked,
  isExpired,
  newDesk,
  offersEdits,
  placeOf,
  readRunEnd,
  readRunInput,
  reduceDesk,
  repeats,
  resumeOf,
  timeLeftMs,
  whyNotReason,
  writeRunEnd,
} from "./index.ts";

const NAMES = { threadId: "t1", runId: "r1" };
const INTERRUPT: Interrupt = {
  id: "int-1",
  reason: "human_approval",
  message: "Go?",
  toolCallId: "tc1",
  responseSchema: { type: "object" },
  expiresAt: "2026-01-01T00:00:00.000Z",
  metadata: { payload: { action: "DELETE", table: "users", riskLevel: "high" } },
};

/** A hold as the server shows it, from what would be placed. */
function holdOf(ask: Parameters<typeof placeOf>[0], more: Partial<Hold> = {}): Hold {
  const place = placeOf(ask, { key: "k", threadId: "t1", runId: "r1" });
  const json = JSON.parse(JSON.stringify(place));
  return {
    ...json,
    id: "hold_1",
    caseId: "review_1",
    status: "open",
    actions: [],
    digest: "d",
    createdBy: "shop",
    createdAt: "2026-01-01T00:00:00.000Z",
    attempt: 1,
    ladder: [],
    version: 1,
    ...more,
  };
}

function decided(hold: Hold, action: string, data = {}): Hold {
  const by = { kind: "link", id: "l1" } as const;
  return { ...hold, status: "decided", outcome: { kind: "decided", action, data, by, door: "page", at: "" } };
}

describe("the end of a run", () => {
  it.each([
    ["interrupt said", { outcome: "interrupt", interrupt: { id: "i" } }, "interrupt"],
    ["success said", { outcome: "success", result: 1 }, "success"],
    ["nothing said, an interrupt there", { interrupt: { id: "i" } }, "interrupt"],
    ["nothing said, nothing there", {}, "success"],
  ])(
    "AG-001, AG-002, AG-104 the end of a run is read from the draft's outcome, or from its interrupt if there is none: %s",
    (_case, event, kind) => {
      expect(readRunEnd({ type: "RUN_FINISHED", ...event }).kind).toBe(kind);
    },
  );

  it("AG-003, AG-004 the draft's end of a run has a result or an interrupt with id, reason and payload, never both", () => {
    const stopped = writeRunEnd({ kind: "interrupt", interrupts: [INTERRUPT] }, "draft", NAMES, false);
    expect(stopped).not.toHaveProperty("result");
    expect(stopped["interrupt"]).toMatchObject({ id: "int-1", reason: "human_approval", payload: {} });
    const done = writeRunEnd({ kind: "success", result: { a: 1 } }, "draft", NAMES, false);
    expect(done).toEqual({ type: "RUN_FINISHED", ...NAMES, outcome: "success", result: { a: 1 } });
  });

  it("AG-006, AG-086 an interrupt keeps its whole payload in the draft form and in the released form", () => {
    const draft = draftOf(INTERRUPT);
    expect(draft.payload).toEqual({
      action: "DELETE",
      table: "users",
      riskLevel: "high",
      message: "Go?",
      toolCallId: "tc1",
      responseSchema: { type: "object" },
      expiresAt: "2026-01-01T00:00:00.000Z",
    });
    const read = readRunEnd({ type: "RUN_FINISHED", outcome: "interrupt", interrupt: draft as never });
    expect(read).toMatchObject({
      interrupts: [{ id: "int-1", reason: "human_approval", toolCallId: "tc1" }],
    });
  });

  it("AG-015, AG-090 the released end of a run has the outcome with its interrupts, and no copy in the draft's form", () => {
    const end = writeRunEnd({ kind: "interrupt", interrupts: [INTERRUPT] }, "released", NAMES, true);
    expect(end).toEqual({
      type: "RUN_FINISHED",
      ...NAMES,
      outcome: { type: "interrupt", interrupts: [INTERRUPT] },
    });
  });

  it("AG-028 a run's end says cancelled only to peers that declare a version, and is an error for others", () => {
    const end = { kind: "cancelled" } as const;
    expect(writeRunEnd(end, "released", NAMES, true)["outcome"]).toEqual({ type: "cancelled" });
    expect(writeRunEnd(end, "released", NAMES, false)).toMatchObject({ code: "RUN_CANCELLED" });
    expect(writeRunEnd(end, "draft", NAMES, true)).toMatchObject({ type: "RUN_ERROR" });
  });

  it("AG-041 an interrupt counts as expired from the very moment of its expiry", () => {
    const at = Date.parse(INTERRUPT.expiresAt ?? "");
    expect([at - 1, at, at + 1].map((now) => isExpired(INTERRUPT, now))).toEqual([false, true, true]);
  });
});

describe("the input of a run", () => {
  const base = { threadId: "t1", runId: "r1" };
  it.each([
    ["the seed's first body", { ...base }, true],
    ["an unknown member", { ...base, foo: 1 }, true],
    ["messages that are none", { ...base, messages: 5 }, false],
    ["a declared version without messages", { ...base, protocolVersion: "1.0" }, false],
    ["a list with an unknown status", { ...base, resume: [{ interruptId: "i", status: "maybe" }] }, false],
    ["null metadata", { ...base, resume: [{ interruptId: "i", status: "resolved", metadata: null }] }, false],
    ["a null payload", { ...base, resume: [{ interruptId: "i", status: "resolved", payload: null }] }, false],
    ["a resume that is a number", { ...base, resume: 5 }, false],
    ["another major version", { ...base, protocolVersion: "2.0", messages: [] }, false],
    ["a version nobody knows", { ...base, protocolVersion: "latest", messages: [] }, true],
    ["no thread", { runId: "r1" }, false],
    ["a list", [], false],
  ])(
    "AG-011, AG-021, AG-025, AG-026, AG-027 the input of a run is accepted or refused as the contract says: %s",
    (_case, body, ok) => {
      expect(readRunInput(body).ok).toBe(ok);
    },
  );

  it("AG-088, AG-091 the input of a run may have its answer in the draft's or in the legacy spelling", () => {
    const of = (body: object) => {
      const read = readRunInput({ ...base, ...body });
      return read.ok ? read.input.resume : read;
    };
    expect(of({ resume: { interruptId: "i", payload: { a: 1 } } })).toMatchObject({ status: "resolved" });
    expect(of({ resume: { interruptId: "i", payload: { cancelled: true } } })).toEqual({
      kind: "single",
      spelling: "draft",
      status: "cancelled",
      interruptId: "i",
    });
    expect(of({ forwardedProps: { command: { resume: '{"approved":true}' } } })).toEqual({
      kind: "single",
      spelling: "legacy",
      status: "resolved",
      payload: { approved: true },
      text: '{"approved":true}',
    });
  });

  it("AG-084 the form is chosen by what the caller says explicitly, then by the input, then by what is remembered", () => {
    const list = { kind: "list", entries: [] } as const;
    const single = { kind: "single", spelling: "draft", status: "resolved" } as const;
    const rows = [
      [{ explicit: "draft", input: { protocolVersion: "1.0" } }, "draft"],
      [{ explicit: "released", input: { resume: single } }, "released"],
      [{ input: { protocolVersion: "1.0", resume: single } }, "released"],
      [{ input: { resume: single } }, "draft"],
      [{ input: { resume: list }, remembered: "draft" }, "released"],
      [{ input: {}, remembered: "draft" }, "draft"],
      [{ input: {} }, "released"],
    ] as const;
    for (const [hints, form] of rows) expect(chooseForm(hints)).toBe(form);
  });
});

describe("an interrupt as a hold", () => {
  it("AG-017, AG-086 an interrupt is read back from its hold as it was asked, with its payload in the metadata", () => {
    const hold = holdOf({ reason: "policy_hold", message: "Send it?", payload: { records: 3 } });
    expect(interruptOf(hold)).toMatchObject({
      id: "hold_1",
      reason: "policy_hold",
      message: "Send it?",
      metadata: { payload: { records: 3 } },
    });
    expect(interruptOf({ ...hold, metadata: {} })).toBeNull();
    expect(interruptOf({ ...hold, reviewUrl: "https://h/review/x?token=t" }, "https://h")?.metadata).toEqual({
      payload: { records: 3 },
      hitl: {
        ...{ case_id: hold.caseId, review_url: "https://h/review/x?token=t", type: "approval" },
        ...{ poll_url: `https://h/reviews/${hold.caseId}/status`, default_action: "skip" },
        context: { records: 3 },
      },
    });
  });

  it("AG-012, AG-022 a payload comes back from its hold unchanged, and a denial is not an abandonment", () => {
    const hold = holdOf({ reason: "human_approval" });
    const payload = { approved: true, modifications: { amount: 5 } };
    const read = answerOf(hold, payload);
    expect(read).toMatchObject({ ok: true, answer: { action: "approve" } });
    if (!read.ok) return;
    const settled = decided(hold, read.answer.action, read.answer.data);
    expect(interruptAnswerOf(settled)).toMatchObject({ status: "resolved", payload, approved: true });
    expect(repeats({ interruptId: "hold_1", status: "resolved", payload }, settled)).toBe(true);
    expect(repeats({ interruptId: "hold_1", status: "resolved", payload: { approved: true } }, settled)).toBe(
      false,
    );
    expect(repeats({ interruptId: "hold_1", status: "cancelled" }, settled)).toBe(false);
    const denied = decided(hold, "edit", { feedback: "smaller" });
    expect(interruptAnswerOf(denied)).toMatchObject({ payload: { approved: false, feedback: "smaller" } });
  });

  it("G14: nothing in the data of an answer stands for the decision or for arguments that nobody checked", () => {
    const approval = holdOf({ reason: "human_approval" });
    const payload = (action: string, data: JsonObject, hold: Hold = approval) => {
      const answer = interruptAnswerOf(decided(hold, action, data));
      return answer?.status === "resolved" ? answer.payload : undefined;
    };
    expect(payload("reject", { approved: true, note: "no" })).toEqual({ approved: false, note: "no" });
    expect(payload("approve", { editedArgs: { amount: 5_000 } })).toEqual({ approved: true });
    const confirmation: Hold = { ...approval, type: "confirmation" };
    expect(payload("cancel", { confirmed: true, approved: true }, confirmation)).toEqual({
      confirmed: false,
    });
    const escalation: Hold = { ...approval, type: "escalation" };
    expect(payload("abort", { action: "retry" }, escalation)).toEqual({ action: "abort" });
  });

  it.each([undefined, {}, { approved: "true" }, { approved: 1 }, true])(
    "AG-039 the answer to an approval needs a boolean, so this one is refused: %j",
    (payload) => {
      expect(answerOf(holdOf({ reason: "tool_call" }), payload)).toMatchObject({
        ok: false,
        path: "/approved",
      });
    },
  );

  it.each([
    [{ reason: "confirmation" }, true, "confirm"],
    [{ reason: "confirmation" }, { approved: false }, "cancel"],
    [{ reason: "error_recovery" }, { action: "skip" }, "skip"],
    [{ reason: "x:pick", options: [{ id: "a", label: "A" }] }, "a", "select"],
    [{ reason: "input_required", responseSchema: { type: "string" } }, "text", "submit"],
  ])("AG-060 every reason's answer becomes an action of the hold: %j", (ask, payload, action) => {
    const hold = holdOf(ask);
    const read = answerOf(hold, payload);
    expect(read).toMatchObject({ ok: true, answer: { action } });
  });

  it("an interrupt becomes an input when its schema asks for more than yes or no", () => {
    const approved = { type: "boolean" };
    const ask = (required: string[]) =>
      holdOf({ reason: "x:a", responseSchema: { properties: { approved, why: {} }, required } }).type;
    expect([ask(["approved"]), ask(["approved", "why"])]).toEqual(["approval", "input"]);
  });
});

describe("reasons of interrupts", () => {
  it("AG-005, AG-061, AG-062 any namespaced reason is accepted, and gets a generic card or a form", () => {
    expect(["tool_call", "policy_hold", "acme:review"].map(whyNotReason)).toEqual([null, null, null]);
    expect(["whatever", "core:thing", ":x", "x:"].map((reason) => whyNotReason(reason) === null)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(cardKindOf({ id: "i", reason: "acme:unheard" })).toBe("generic");
    expect(cardKindOf({ id: "i", reason: "acme:unheard", responseSchema: {} })).toBe("form");
  });

  it("AG-054, AG-083 an editor is shown only where the schema offers edits", () => {
    expect(offersEdits({ responseSchema: { properties: { editedArgs: { type: "object" } } } })).toBe(true);
    expect(offersEdits({ responseSchema: { properties: {} } })).toBe(false);
    expect(offersEdits({})).toBe(false);
  });

  it("AG-095 an app's own card comes before the standard one", () => {
    const standard = Object.fromEntries(
      ["approval", "form", "confirmation", "file", "policy", "recovery", "database", "generic"].map(
        (kind) => [kind, kind],
      ),
    ) as Record<ReturnType<typeof cardKindOf>, string>;
    const card = createCardRegistry(standard, { "acme:own": "mine", policy_hold: "ours" });
    const of = (reason: string) => card({ id: "i", reason });
    expect(["acme:own", "policy_hold", "tool_call", "toString"].map(of)).toEqual([
      "mine",
      "ours",
      "approval",
      "generic",
    ]);
  });
});

describe("the desk that collects answers", () => {
  const two: readonly Interrupt[] = [
    { id: "a", reason: "tool_call" },
    { id: "b", reason: "tool_call", expiresAt: "2026-01-01T00:00:00.000Z" },
  ];
  const early = Date.parse("2025-12-31T23:59:00.000Z");
  const late = Date.parse("2026-01-01T00:00:00.000Z");
  const waiting = reduceDesk(newDesk("t1"), { kind: "interrupted", interrupts: two });
  const draft = (desk: Desk, interruptId: string, status: "resolved" | "cancelled") =>
    reduceDesk(desk, {
      kind: "drafted",
      interruptId,
      answer: status === "resolved" ? { status, payload: { approved: true } } : { status },
    });
  const filled = draft(draft(waiting, "a", "resolved"), "b", "resolved");

  it("AG-096 the desk submits all pending answers at once, and blocks new input until then", () => {
    expect(isComposerBlocked(waiting)).toBe(true);
    expect(canSubmit(draft(waiting, "a", "resolved"), early)).toBe(false);
    expect(resumeOf(filled, early)).toHaveLength(2);
    const done = reduceDesk(reduceDesk(filled, { kind: "submitted", now: early }), {
      kind: "finished",
      by: "Ada",
    });
    expect(done).toMatchObject({ phase: "idle", pending: [], history: [{ by: "Ada" }, { by: "Ada" }] });
    expect(isComposerBlocked(done)).toBe(false);
  });

  it("the desk waits for the answer to an interrupt that is named like a member of every object", () => {
    const interrupts: readonly Interrupt[] = [{ id: "constructor", reason: "tool_call" }];
    const asked = reduceDesk(newDesk("t1"), { kind: "interrupted", interrupts });
    expect(resumeOf(asked, early)).toBeNull();
    expect(resumeOf(draft(asked, "constructor", "cancelled"), early)).toEqual([
      { interruptId: "constructor", status: "cancelled" },
    ]);
  });

  it("AG-097, AG-098 the desk lets an expired interrupt only be abandoned", () => {
    expect(timeLeftMs(two[1] as Interrupt, early)).toBe(60_000);
    expect([timeLeftMs(two[1] as Interrupt, late), timeLeftMs(two[0] as Interrupt, late)]).toEqual([0, null]);
    expect(canSubmit(filled, late)).toBe(false);
    const abandoned = draft(filled, "b", "cancelled");
    expect(resumeOf(abandoned, late)).toContainEqual({ interruptId: "b", status: "cancelled" });
  });

  it("AG-102 the desk sends nothing twice, and a retry repeats the same answer", () => {
    const sending = reduceDesk(filled, { kind: "submitted", now: early });
    expect(canSubmit(sending, early)).toBe(false);
    expect(reduceDesk(sending, { kind: "submitted", now: early })).toBe(sending);
    expect(draft(sending, "a", "cancelled")).toBe(sending);
    const failed = reduceDesk(sending, { kind: "failed", code: "THREAD_BUSY", message: "busy" });
    expect(failed).toMatchObject({ phase: "failed", error: { code: "THREAD_BUSY" }, pending: two });
    const retried = reduceDesk(failed, { kind: "submitted", now: late });
    expect(retried).toMatchObject({ phase: "submitting", sent: sending.sent });
    expect(draft(failed, "b", "cancelled")).not.toHaveProperty("sent");
  });

  it("AG-101 the desk is restored after a reload, and keeps drafts of what is still open", () => {
    const past = { interrupt: two[0] as Interrupt, status: "resolved" as const };
    const back = reduceDesk(filled, { kind: "restored", interrupts: two.slice(1), history: [past] });
    expect(back).toMatchObject({ phase: "waiting", history: [past] });
    expect(Object.keys(back.drafts)).toEqual(["b"]);
    expect(reduceDesk(back, { kind: "restored", interrupts: [] }).phase).toBe("idle");
    expect(reduceDesk(waiting, { kind: "drafted", interruptId: "zzz", answer: null })).toBe(waiting);
  });
});
