import { describe, expect, test } from "vitest";
import type { Hold, HoldEvent } from "../client/types.ts";
import type { JsonObject } from "../rules/json.ts";
import { caseFrame, caseIdOf, casePrompt, caseStatusOf, hitlObject, holdIdOf, pollBody } from "./case.ts";
import { CaseEvent } from "./events.ts";
import { HitlObject07, HitlObject08 } from "./hitl-object.ts";
import { PollResponse07, PollResponse08 } from "./poll.ts";

const AT = "2026-03-01T10:00:00.000Z";
const LATER = "2026-03-01T11:00:00.000Z";
const END = "2026-03-02T10:00:00.000Z";

const OPEN: Hold = {
  id: "hold_ab12",
  caseId: "review_ab12",
  status: "open",
  type: "approval",
  prompt: "Go?",
  actions: [],
  digest: "d",
  createdBy: "shop",
  createdAt: AT,
  expiresAt: END,
  attempt: 1,
  ladder: [],
  version: 1,
  links: "agent",
};
const OPENED: Hold = { ...OPEN, openedAt: AT };
const PROGRESSED: Hold = {
  ...OPENED,
  progressedAt: AT,
  progress: { currentStep: 2, totalSteps: 3, completedFields: 4, totalFields: 9 },
};
const DECIDED: Hold = {
  ...OPENED,
  status: "decided",
  remindedAt: AT,
  next: "hold_cd34",
  outcome: {
    kind: "decided",
    action: "approve",
    data: { feedback: "fine" },
    by: { kind: "link", id: "link_1" },
    door: "page",
    at: LATER,
  },
};
const EXPIRED: Hold = {
  ...OPEN,
  status: "expired",
  outcome: { kind: "expired", default: { action: "reject" }, at: END },
};
const CANCELLED: Hold = {
  ...OPEN,
  status: "cancelled",
  outcome: { kind: "cancelled", cancelledBy: { kind: "key", id: "k" }, reason: "Not needed", at: LATER },
};
const ALL = [OPEN, OPENED, PROGRESSED, DECIDED, EXPIRED, CANCELLED];

function decidedBy(by: JsonObject, door = "page"): JsonObject {
  const outcome = {
    ...(DECIDED.outcome as object),
    by: { kind: "link", id: "link_1", ...by },
    door,
  } as never;
  return pollBody({ ...DECIDED, outcome });
}

describe("a hold in a poll", () => {
  test("HP-087 every state of a hold maps to a status of the protocol", () => {
    const statuses = ["pending", "opened", "in_progress", "completed", "expired", "cancelled"];
    expect(ALL.map(caseStatusOf)).toEqual(statuses);
    expect(ALL.map((hold) => pollBody(hold)["status"])).toEqual(statuses);
  });

  test("HP-099 every poll body fits the schemas of both versions", () => {
    for (const hold of ALL) {
      expect(PollResponse08.parse(pollBody(hold))).toEqual(pollBody(hold));
      expect(PollResponse07.parse(pollBody(hold))).toEqual(pollBody(hold));
    }
  });

  test("HP-088 the poll of a pending case has its times, no opened_at and no result", () => {
    expect(pollBody(OPEN)).toEqual({
      status: "pending",
      case_id: "review_ab12",
      created_at: AT,
      expires_at: END,
    });
  });

  test("HP-089 the poll of an opened case adds when it was opened first", () => {
    expect(pollBody(OPENED)).toEqual({ ...pollBody(OPEN), status: "opened", opened_at: AT });
  });

  test("HP-090 the poll of a case in progress adds the progress, if it is known", () => {
    const progress = { current_step: 2, total_steps: 3, completed_fields: 4, total_fields: 9 };
    expect(pollBody(PROGRESSED)).toEqual({ ...pollBody(OPENED), status: "in_progress", progress });
    const { progress: _unknown, ...plain } = PROGRESSED;
    expect(pollBody(plain)).not.toHaveProperty("progress");
  });

  test("HP-091 the poll of a completed case has its time and its result with data", () => {
    expect(pollBody(DECIDED)).toMatchObject({
      status: "completed",
      completed_at: LATER,
      result: { action: "approve", data: { feedback: "fine" } },
    });
  });

  test("HP-092 the poll of an expired case has its default action, and no result", () => {
    expect(pollBody(EXPIRED)).toEqual({
      ...pollBody(OPEN),
      status: "expired",
      expired_at: END,
      default_action: "reject",
    });
    const odd: Hold = { ...EXPIRED, outcome: { kind: "expired", default: { action: "explode" }, at: END } };
    expect(pollBody(odd)["default_action"]).toBe("skip");
  });

  test("HP-093 the poll of a cancelled case says when and why", () => {
    expect(pollBody(CANCELLED)).toMatchObject({
      status: "cancelled",
      cancelled_at: LATER,
      reason: "Not needed",
    });
  });

  test("HP-094 only a completed case has a result or names a person in its poll (G5)", () => {
    for (const hold of ALL.filter((one) => one !== DECIDED))
      for (const member of ["result", "responded_by", "submission_context"])
        expect(pollBody(hold)).not.toHaveProperty(member);
  });

  test("HP-095 every poll body says when the case began and when it expires", () => {
    for (const hold of ALL) {
      expect(pollBody(hold)).toMatchObject({ created_at: AT, expires_at: END });
      const { expiresAt: _none, ...endless } = hold;
      const body = pollBody(endless);
      expect(body).toMatchObject({ created_at: AT, expires_at: "9999-12-31T00:00:00.000Z" });
      expect(PollResponse08.safeParse(body).success).toBe(true);
    }
  });

  test("HP-096 a poll names the person by name and e-mail, as far as they are known and valid", () => {
    expect(decidedBy({})).not.toHaveProperty("responded_by");
    expect(decidedBy({ name: "ada" })["responded_by"]).toEqual({ name: "ada" });
    expect(
      decidedBy({ name: "link", claimed: { name: "Ada", email: "ada@shop.example" } })["responded_by"],
    ).toEqual({
      name: "Ada",
      email: "ada@shop.example",
    });
    expect(decidedBy({ kind: "link", name: "ada@shop.example" })["responded_by"]).toEqual({
      email: "ada@shop.example",
    });
    expect(decidedBy({ kind: "key", name: "ada@shop.example" })["responded_by"]).toEqual({
      name: "ada@shop.example",
    });
    expect(decidedBy({ claimed: { email: "not one" } })).not.toHaveProperty("responded_by");
  });

  test("HP-097 a poll says when a reminder was sent and which case follows", () => {
    expect(pollBody(DECIDED)).toMatchObject({ reminder_sent_at: AT, next_case_id: "review_cd34" });
  });

  test("HP-138 an inline answer shows its channel and who tapped, and any other answer shows browser_submit", () => {
    const claimed = { submitted_via: "slack_block_action", platform: "slack", id: "U1", name: "Ada" };
    expect(decidedBy({ claimed }, "inline")).toMatchObject({
      responded_by: { name: "Ada" },
      submission_context: {
        mode: "inline_submit",
        submitted_via: "slack_block_action",
        submitted_by: { platform: "slack", platform_user_id: "U1", display_name: "Ada" },
      },
    });
    expect(PollResponse08.safeParse(decidedBy({ claimed }, "inline")).success).toBe(true);
    for (const [by, door] of [
      [{ claimed }, "page"],
      [{}, "inline"],
    ] as const)
      expect(decidedBy(by, door)["submission_context"]).toEqual({ mode: "browser_submit" });
  });
});

describe("a hold in a 202", () => {
  const addresses = {
    review: "https://shop.example/review/review_ab12?token=t",
    poll: "https://shop.example/reviews/review_ab12/status",
    events: "https://shop.example/reviews/review_ab12/events",
    callback: null,
  };

  test("HP-008 the hitl object fits the schema of the version that was asked for", () => {
    const full: Hold = {
      ...OPEN,
      previous: "hold_zz",
      onTimeout: { action: "abort" },
      context: { order: 7 },
      options: [{ id: "a", label: "A", description: "First" }],
      form: { fields: [{ key: "k", label: "K", type: "text" }] },
    };
    const inline = {
      url: "https://shop.example/reviews/review_ab12/submit",
      token: "t".repeat(43),
      actions: ["approve"],
    };
    const view = {
      addresses,
      inline,
      timeout: "24h",
      reminderAt: [LATER],
      surface: { format: "json-render" },
    };
    const old = hitlObject(full, { ...view, version: "0.7" });
    expect(HitlObject07.parse(old)).toEqual(old);
    const fresh = hitlObject(full, { ...view, version: "0.8" });
    expect(HitlObject08.parse(fresh)).toEqual(fresh);
    expect(old).toMatchObject({
      previous_case_id: "review_zz",
      default_action: "abort",
      inline_actions: ["approve"],
      context: {
        order: 7,
        items: [{ id: "a", title: "A", description: "First" }],
        form: { fields: [{ key: "k" }] },
      },
    });
  });

  test("HP-027 a hitl object without an inline offer has none of the three inline members", () => {
    const plain = hitlObject(OPEN, { version: "0.7", addresses });
    for (const member of ["submit_url", "submit_token", "inline_actions", "context", "reminder_at"])
      expect(plain).not.toHaveProperty(member);
    expect(plain["default_action"]).toBe("skip");
    expect(HitlObject07.safeParse(plain).success).toBe(true);
  });

  test("HP-021 a hitl object keeps items that the author put into the context", () => {
    const hold: Hold = { ...OPEN, context: { items: ["own"] }, options: [{ id: "a", label: "A" }] };
    expect(hitlObject(hold, { version: "0.7", addresses })["context"]).toEqual({ items: ["own"] });
  });

  test("HP-014 a prompt of more than 500 characters is cut between characters", () => {
    expect(casePrompt("a".repeat(500))).toHaveLength(500);
    expect([...casePrompt("😀".repeat(501))]).toHaveLength(500);
    expect(casePrompt("a".repeat(501)).endsWith("a…")).toBe(true);
  });

  test("HP-015 a hold without an expiry cannot become a case", () => {
    const { expiresAt: _end, ...endless } = OPEN;
    expect(() => hitlObject(endless, { version: "0.7", addresses })).toThrow("always has an end");
  });

  test("HP-010 a case id and a hold id can be converted into each other", () => {
    expect(caseIdOf("hold_ab12")).toBe("review_ab12");
    expect(holdIdOf("review_ab12")).toBe("hold_ab12");
  });
});

describe("a hold's log as an event stream", () => {
  const event = (type: string, data: JsonObject = {}): HoldEvent => ({
    position: 7,
    stream: "hold:hold_ab12",
    holdId: "hold_ab12",
    seq: 2,
    type,
    at: LATER,
    actor: "system",
    data,
    previous: "",
    hash: "h",
  });

  test.each([
    ["hold.opened", OPENED, "review.opened", { opened_at: AT }],
    ["hold.progressed", PROGRESSED, "review.in_progress", { opened_at: AT }],
    ["hold.reminded", OPENED, "review.reminder", { reminder_at: LATER }],
    ["hold.escalated", OPENED, "review.reminder", { reminder_at: LATER }],
    ["hold.decided", DECIDED, "review.completed", { completed_at: LATER, result: { action: "approve" } }],
    ["hold.expired", EXPIRED, "review.expired", { expired_at: END, default_action: "reject" }],
    ["hold.cancelled", CANCELLED, "review.cancelled", { cancelled_at: LATER, reason: "Not needed" }],
  ] as const)("HP-153 a log entry %s becomes its event of the protocol", (type, hold, name, data) => {
    const frame = caseFrame(hold, event(type));
    expect(frame).toMatchObject({ id: "7", event: name, data: { case_id: "review_ab12", ...data } });
    expect(CaseEvent.parse(frame)).toEqual(frame);
  });

  test("HP-153 an event has the progress of its own time, not the latest", () => {
    const progress = { current_step: 1, total_steps: 3, completed_fields: 0, total_fields: 9 };
    expect(caseFrame(PROGRESSED, event("hold.progressed", { progress }))?.data).toMatchObject({ progress });
  });

  test("HP-147 a reminder that was not sent is no event", () => {
    const reminder = (state: string) => caseFrame(OPEN, { ...event("hold.reminded"), data: { state } });
    expect(reminder("fired")).toMatchObject({ event: "review.reminder" });
    expect(reminder("missed")).toBeUndefined();
    expect(reminder("skipped")).toBeUndefined();
  });

  test("HP-152 a log entry that the protocol has no event for is left out", () => {
    for (const type of ["hold.placed", "hold.link_made", "hold.claimed", "hold.erased"])
      expect(caseFrame(OPEN, event(type))).toBeUndefined();
  });
});
