import { describe, expect, it } from "vitest";
import { OutcomeOut } from "./outcome.ts";

const at = "2026-03-01T09:30:00.000Z";
const person = { kind: "link", id: "lnk_1", name: "mara", claimed: { name: "Mara", any_member: 1 } };
const decided = { kind: "decided", action: "reject", data: {}, by: person, door: "page", at };
const expired = { kind: "expired", default: { action: "reject" }, at };
const cancelled = { kind: "cancelled", cancelled_by: { kind: "key", id: "agent" }, reason: "moot", at };

describe("OutcomeOut (G5)", () => {
  it.each([decided, expired, cancelled])("accepts $kind", (outcome) => {
    expect(OutcomeOut.parse(outcome)).toEqual(outcome);
  });

  it.each([
    ["a person on an expiry", { ...expired, by: person }],
    ["an action on an expiry", { ...expired, action: "reject" }],
    ["a decider on a cancel", { ...cancelled, by: person }],
    ["an action on a cancel", { ...cancelled, action: "reject" }],
    ["a default on a decision", { ...decided, default: { action: "reject" } }],
    ["a canceller on a decision", { ...decided, cancelled_by: person }],
    ["a decision by nobody", { ...decided, by: undefined }],
    ["a decision by the system", { ...decided, by: { kind: "system", id: "system" } }],
    ["a decision by a policy", { ...decided, by: { kind: "policy", id: "p" } }],
    ["an outcome that is still pending", { kind: "pending", at }],
  ])("refuses %s", (_, outcome) => {
    expect(OutcomeOut.safeParse(outcome).success).toBe(false);
  });
});
