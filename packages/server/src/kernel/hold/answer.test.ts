import { describe, expect, test } from "vitest";
import { DEV, INPUT, link, NOW, OPERATOR, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import type { AnswerHold } from "./commands.ts";

type Answer = Partial<Omit<AnswerHold, "kind" | "workspace" | "by">>;
const answer = (part: Answer = {}) =>
  ({ kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "rest", ...part }) as const;

describe("answering a hold", () => {
  test("decides it, and says who, how and when", () => {
    const after = given(openHold())
      .when(answer({ data: { note: "fine" } }))
      .then("hold.decided");
    expect(after.hold().status).toBe("decided");
    expect(after.hold().outcome).toEqual({
      kind: "decided",
      action: "approve",
      data: { note: "fine" },
      by: { kind: "key", id: "key_ada", name: "ada" },
      door: "rest",
      at: NOW,
    });
  });

  test("keeps what was shown, and what the answerer claims to be", () => {
    const by = { ...OPERATOR, claimed: { email: "ada@example.test" } };
    const after = given(openHold())
      .when(answer({ shown: "sha256:h1" }), { by })
      .then("hold.decided");
    expect(after.hold().outcome).toMatchObject({ shown: "sha256:h1", by: { claimed: by.claimed } });
  });

  test("by a link names the link, and no person it was not made for", () => {
    const anybody = link();
    const after = given(openHold(), anybody)
      .when(answer({ linkHash: "hash-1", door: "page" }), { by: reviewer(anybody.body) })
      .then("hold.decided");
    expect(after.hold().outcome).toMatchObject({ by: { kind: "link", id: "link_1" }, door: "page" });
    expect(after.hold().outcome).not.toHaveProperty("by.name");
  });

  test("happens once (G1): every later answer is told how it ended", () => {
    const settled = given(openHold()).when(answer()).then("hold.decided");
    for (const action of ["approve", "reject"]) {
      const after = settled.when(answer({ action }), { by: DEV }).refused("already_settled");
      expect(after.hold()).toBe(settled.hold());
    }
    const cancelled = given(openHold()).when({ kind: "cancel_hold", holdId: "h1" }).then("hold.cancelled");
    cancelled.when(answer()).refused("already_settled");
    given(openHold({ status: "expired", outcome: { kind: "expired", at: 5 } }))
      .when(answer())
      .refused("hold_expired");
  });

  test("comes too late from the very moment of expiry on, and states the expiry (G3)", () => {
    const expiring = given(openHold({ expiresAt: NOW }));
    const after = expiring.when(answer(), { now: NOW }).refused("hold_expired", "hold.expired");
    expect(after.hold().outcome).toEqual({ kind: "expired", at: NOW });
    expiring.when(answer(), { now: NOW - 1 }).then("hold.decided");
  });

  test("of a hold that is not there finds nothing", () => {
    given().when(answer()).refused("not_found");
    given(openHold())
      .when(answer(), { by: reviewer(link().body) })
      .refused("not_found");
  });

  test("must be about what was shown (G12)", () => {
    given(openHold())
      .when(answer({ shown: "sha256:other" }))
      .refused("shown_mismatch");
  });

  test("may insist on a version", () => {
    const hold = given(openHold());
    hold.when(answer({ ifVersion: 2 })).refused("precondition_failed");
    hold.when(answer({ ifVersion: 1 })).then("hold.decided");
  });

  test("must be an action of the ask and fit it", () => {
    const unknown = given(openHold())
      .when(answer({ action: "dance" }))
      .refused("invalid_action");
    expect(unknown.reply).toMatchObject({ failure: { message: "this hold does not offer that action" } });
    const after = given(openHold({ ask: INPUT }))
      .when(answer({ action: "submit" }))
      .refused("invalid_answer");
    expect(after.reply.ok === false && after.reply.failure.problems?.[0]?.key).toBe("city");
  });

  test("throws away the half-filled form", () => {
    const draft = { holdId: "h1", values: { city: "Bo" }, step: 0, savedAt: 1 };
    const after = given(openHold({ progressedAt: 1 }), { kind: "form_session", id: "h1", body: draft })
      .when(answer())
      .then("hold.decided");
    expect(after.get("form_session", "h1")).toBeUndefined();
  });

  test("G15, Strangers 2: an unknown call is not approved by a button alone, whichever page the button is on", () => {
    const ask = { type: "approval", prompt: "Run a tool?", context: { call_unknown: true } } as const;
    for (const door of ["page", "console", "inline"] as const) {
      const after = given(openHold({ ask })).when(answer({ door })).refused("invalid_answer");
      expect(after.reply.ok === false && after.reply.failure.problems?.[0]?.key).toBe("/note");
      given(openHold({ ask }))
        .when(answer({ door, data: { note: "seen" } }))
        .then("hold.decided");
    }
    given(openHold({ ask }))
      .when(answer({ door: "agui" }))
      .then("hold.decided");
  });

  test("an open hold without an ask is a bug, not an answer", () => {
    expect(() => given(openHold({ ask: null })).when(answer())).toThrow("open hold h1 has no ask");
  });
});
