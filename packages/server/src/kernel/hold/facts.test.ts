import { describe, expect, test } from "vitest";
import { APPROVED, link, openHold } from "../../testing/core-samples.ts";
import { logData } from "../../testing/tables.ts";
import { type HoldFact, outcomeContent, placedContent } from "./facts.ts";

const progress = { current_step: 1, total_steps: 2, completed_fields: 1, total_fields: 3 };
const rung = {
  at: 5,
  kind: "attempt",
  n: 2,
  channel: "chat",
  to: "lead@example.test",
  state: "fired",
} as const;
const claim = { id: "c", by: "key:refunder", at: 1, until: 2, state: "done", detail: { secret: 1 } } as const;
const person = { kind: "session", id: "s1", name: "Ada", claimed: { email: "ada@example.test" } } as const;
const failed = { event: 1, deliveries: ["msg_1"] };
const made = link({ recipient: "ada@example.test", channel: "chat", attempt: 2 }).body;

describe("what the log stores of facts about holds (G9)", () => {
  test.each<[HoldFact, unknown]>([
    [
      { type: "hold.placed", hold: openHold({ expiresAt: 9, threadId: "t", key: "k", metadata: { a: 1 } }) },
      {
        digest: "sha256:h1",
        type: "approval",
        created_by: "refunder",
        expires_at: 9,
        rungs: 0,
        links: "agent",
        thread_id: "t",
      },
    ],
    [{ type: "hold.opened" }, {}],
    [{ type: "hold.progressed" }, {}],
    [{ type: "hold.progressed", progress }, { progress }],
    [
      { type: "hold.reminded", index: 0, rung },
      { attempt: 2, at: 5, channel: "chat", state: "fired" },
    ],
    [
      { type: "hold.escalated", index: 0, rung: { at: 5, kind: "attempt", n: 2 } },
      { attempt: 2, at: 5 },
    ],
    [
      { type: "hold.decided", outcome: { ...APPROVED, data: { secret: 1 }, by: person } },
      { action: "approve", door: "rest", by: { kind: "session", id: "s1" } },
    ],
    [{ type: "hold.expired", outcome: { kind: "expired", at: 5 } }, {}],
    [{ type: "hold.expired", outcome: { kind: "expired", default: { data: { a: 1 } }, at: 5 } }, {}],
    [
      { type: "hold.expired", outcome: { kind: "expired", default: { action: "reject" }, at: 5 } },
      { default: "reject" },
    ],
    [
      {
        type: "hold.cancelled",
        outcome: { kind: "cancelled", cancelledBy: person, reason: "secret", at: 5 },
      },
      { by: { kind: "session", id: "s1" } },
    ],
    [{ type: "hold.followed", next: "h2" }, { next: "h2" }],
    [
      { type: "hold.link_made", link: made },
      { link_id: "link_1", purpose: "review", channel: "chat", attempt: 2 },
    ],
    [
      { type: "hold.link_made", link: { ...made, givenTo: "asker" } },
      { link_id: "link_1", purpose: "review", channel: "chat", attempt: 2, given_to: "asker" },
    ],
    [
      {
        type: "hold.cancelled",
        outcome: { kind: "cancelled", cancelledBy: { kind: "link", id: "l1", givenTo: "asker" }, at: 5 },
      },
      { by: { kind: "link", id: "l1", given_to: "asker" } },
    ],
    [
      { type: "hold.link_revoked", link: link().body },
      { link_id: "link_1", purpose: "review" },
    ],
    [
      { type: "hold.claimed", claim },
      { claim_id: "c", state: "done" },
    ],
    [
      { type: "hold.claim_released", claim },
      { claim_id: "c", state: "done" },
    ],
    [{ type: "hold.revoked", revoked: { at: 5, by: person } }, { by: { kind: "session", id: "s1" } }],
    [
      { type: "hold.delivery_failed", channel: "chat", isLast: false, unreached: failed },
      { channel: "chat" },
    ],
    [
      { type: "hold.delivery_failed", channel: "chat", isLast: true, unreached: failed },
      { channel: "chat", all_failed: true, nobody_reached: false },
    ],
    [
      { type: "hold.delivery_failed", channel: "chat", isLast: true, unreached: { ...failed, since: 5 } },
      { channel: "chat", all_failed: true, nobody_reached: true },
    ],
    [{ type: "hold.reached", channel: "chat" }, { channel: "chat" }],
    [{ type: "hold.erased" }, {}],
    [{ type: "hold.draft_saved", session: { holdId: "h1", values: { a: 1 }, step: 0, savedAt: 1 } }, null],
  ])("the log stores $type without private content", (fact, data) => {
    expect(logData(fact)).toEqual(data);
  });
});

test("the content of a placed hold holds only the fields that are set", () => {
  const hold = openHold({ key: "k", askedByApp: true });
  const settings = { creatorKey: hold.creatorKey, askedByApp: true };
  expect(placedContent(hold, [])).toEqual({ ask: hold.ask, key: "k", settings, links: [] });
  expect(outcomeContent(APPROVED)).toEqual(APPROVED);
});
