import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APPROVAL,
  APPROVED,
  AUDITOR,
  DEV,
  decidedHold,
  NOW,
  OPERATOR,
  OTHER_AGENT,
  openHold,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { SYSTEM } from "../principal.ts";
import type { Claim } from "./hold.ts";

const revoke = { kind: "revoke_hold", holdId: "h1" } as const;
const claim = {
  kind: "claim_hold",
  holdId: "h1",
  claimId: "claim_2",
  digest: "sha256:h1",
  leaseMs: 100,
} as const;
const done: Claim = { id: "claim_1", by: "key:refunder", at: 1, until: 2, state: "done", endedAt: 2 };

describe("taking an approval back", () => {
  test("leaves the decision and ends its use", () => {
    const after = given(decidedHold()).when(revoke).then("hold.revoked");
    const by = { kind: "key", id: OPERATOR.id, name: OPERATOR.name };
    expect(after.hold()).toEqual(decidedHold({ revoked: { at: NOW, by } as never }));
    after.when(claim, { by: AGENT }).refused("not_claimable");
    after.when(claim, { by: DEV }).refused("not_claimable");
  });

  test("twice is once, whoever comes second", () => {
    const after = given(decidedHold()).when(revoke).then("hold.revoked");
    after.when(revoke, { by: ADMIN, now: NOW + 5 }).then();
  });

  test("is for operators and for who asked", () => {
    for (const by of [OPERATOR, ADMIN, DEV, AGENT])
      given(decidedHold()).when(revoke, { by }).then("hold.revoked");
    given(decidedHold()).when(revoke, { by: AUDITOR }).refused("not_allowed");
    given(decidedHold()).when(revoke, { by: SYSTEM }).refused("not_allowed");
    given(decidedHold()).when(revoke, { by: OTHER_AGENT }).refused("not_found");
    given().when(revoke).refused("not_found");
  });

  test("needs an approval", () => {
    given(openHold()).when(revoke).refused("not_claimable");
    given(decidedHold({ outcome: { ...APPROVED, action: "reject" } }))
      .when(revoke)
      .refused("not_claimable");
    given(decidedHold({ ask: null }))
      .when(revoke)
      .refused("not_claimable");
    given(
      openHold({ status: "expired", outcome: { kind: "expired", at: 1, default: { action: "approve" } } }),
    )
      .when(revoke)
      .refused("not_claimable");
  });

  test("comes too late for what was executed, and says so", () => {
    const after = given(decidedHold({ claim: done }))
      .when(revoke)
      .refused("claim_taken");
    expect(after.reply.ok === false && after.reply.failure.detail).toEqual({
      claim_id: "claim_1",
      state: "done",
    });
    const rest = decidedHold({ ask: { ...APPROVAL, uses: 2 }, claim: done });
    given(rest).when(revoke).then("hold.revoked").when(claim, { by: AGENT }).refused("not_claimable");
  });

  test.each(["claimed", "failed", "unknown"] as const)(
    "keeps a %s execution from being tried again",
    (state) => {
      given(decidedHold({ claim: { ...done, state } }))
        .when(revoke)
        .then("hold.revoked")
        .when({ kind: "release_claim", holdId: "h1" })
        .then("hold.claim_released")
        .when(claim, { by: AGENT })
        .refused("not_claimable");
    },
  );

  test("stays known when the content is erased, without names", () => {
    const after = given(decidedHold())
      .when(revoke)
      .then("hold.revoked")
      .when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN })
      .then("hold.erased");
    expect(after.hold().revoked).toEqual({ at: NOW, by: { kind: "key", id: OPERATOR.id } });
  });
});
