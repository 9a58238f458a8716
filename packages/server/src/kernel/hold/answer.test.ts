import { describe, expect, test } from "vitest";
import { DEV, INPUT, link, NOW, OPERATOR, openHold, reviewer } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import type { AnswerHold } from "./commands.ts";

type Answer = Partial<Omit<AnswerHold, "kind" | "workspace" | "by">>;
const answer = (part: Answer = {}) =>
  ({ kind: "answer_hold", holdId: "h1", action: "approve", data: {}, door: "rest", ...part }) as const;

describe("answering a hold", () => {
  test("an answer decides the hold and records who answered, through which door and when", () => {
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

  test("an answer records the digest that was shown and who the answerer claims to be", () => {
    const by = { ...OPERATOR, claimed: { email: "ada@example.test" } };
    const after = given(openHold())
      .when(answer({ shown: "sha256:h1" }), { by })
      .then("hold.decided");
    expect(after.hold().outcome).toMatchObject({ shown: "sha256:h1", by: { claimed: by.claimed } });
  });

  test("an answer through a link that names no recipient records the link and no person", () => {
    const anybody = link();
    const after = given(openHold(), anybody)
      .when(answer({ linkHash: "hash-1", door: "page" }), { by: reviewer(anybody.body) })
      .then("hold.decided");
    expect(after.hold().outcome).toMatchObject({ by: { kind: "link", id: "link_1" }, door: "page" });
    expect(after.hold().outcome).not.toHaveProperty("by.name");
  });

  test("a hold is decided once (G1): every later answer is refused and told how the hold ended", () => {
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

  test("an answer at the exact time of expiry is refused, and the refusal states the expiry (G3)", () => {
    const expiring = given(openHold({ expiresAt: NOW }));
    const after = expiring.when(answer(), { now: NOW }).refused("hold_expired", "hold.expired");
    expect(after.hold().outcome).toEqual({ kind: "expired", at: NOW });
    expiring.when(answer(), { now: NOW - 1 }).then("hold.decided");
  });

  test("an answer to a hold that does not exist or that the caller may not see gets not_found", () => {
    given().when(answer()).refused("not_found");
    given(openHold())
      .when(answer(), { by: reviewer(link().body) })
      .refused("not_found");
  });

  test("an answer is refused when the digest that was shown is not the hold's digest (G12)", () => {
    given(openHold())
      .when(answer({ shown: "sha256:other" }))
      .refused("shown_mismatch");
  });

  test("an answer with ifVersion is refused when the hold has another version", () => {
    const hold = given(openHold());
    hold.when(answer({ ifVersion: 2 })).refused("precondition_failed");
    hold.when(answer({ ifVersion: 1 })).then("hold.decided");
  });

  test("an answer is refused when its action is not offered or its data does not fit the ask", () => {
    const unknown = given(openHold())
      .when(answer({ action: "dance" }))
      .refused("invalid_action");
    expect(unknown.reply).toMatchObject({ failure: { message: "this hold does not offer that action" } });
    const after = given(openHold({ ask: INPUT }))
      .when(answer({ action: "submit" }))
      .refused("invalid_answer");
    expect(after.reply.ok === false && after.reply.failure.problems?.[0]?.key).toBe("city");
  });

  test("an answer deletes the half-filled form of the hold", () => {
    const draft = { holdId: "h1", values: { city: "Bo" }, step: 0, savedAt: 1 };
    const after = given(openHold({ progressedAt: 1 }), { kind: "form_session", id: "h1", body: draft })
      .when(answer())
      .then("hold.decided");
    expect(after.get("form_session", "h1")).toBeUndefined();
  });

  test("G15: approving an unknown call through a page, console, inline button or the command line requires a note", () => {
    const ask = { type: "approval", prompt: "Run a tool?", context: { call_unknown: true } } as const;
    for (const door of ["page", "console", "inline", "cli"] as const) {
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

  test("G15: approving an unknown call with a browser token requires a note at every door, and with a plain key at none", () => {
    const ask = { type: "approval", prompt: "Run a tool?", context: { call_unknown: true } } as const;
    const page = { ...OPERATOR, reach: { person: "ada", teams: [] } };
    for (const door of ["rest", "agui"] as const) {
      given(openHold({ ask })).when(answer({ door }), { by: page }).refused("invalid_answer");
      given(openHold({ ask }))
        .when(answer({ door, data: { note: "seen" } }), { by: page })
        .then("hold.decided");
      given(openHold({ ask })).when(answer({ door }), { by: OPERATOR }).then("hold.decided");
    }
  });

  test("answering an open hold that has no ask throws an invariant error", () => {
    expect(() => given(openHold({ ask: null })).when(answer())).toThrow("Invariant: open hold h1 has no ask");
  });
});
