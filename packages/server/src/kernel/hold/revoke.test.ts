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

describe("revoking an approval", () => {
  test("a revoked approval keeps its decision and can no longer be claimed", () => {
    const after = given(decidedHold()).when(revoke).then("hold.revoked");
    const by = { kind: "key", id: OPERATOR.id, name: OPERATOR.name };
    expect(after.hold()).toEqual(decidedHold({ revoked: { at: NOW, by } as never }));
    after.when(claim, { by: AGENT }).refused("not_claimable");
    after.when(claim, { by: DEV }).refused("not_claimable");
  });

  test("revoking an approval twice keeps the first revocation", () => {
    const after = given(decidedHold()).when(revoke).then("hold.revoked");
    after.when(revoke, { by: ADMIN, now: NOW + 5 }).then();
  });

  test("operators and the agent that asked may revoke an approval; other roles and agents may not", () => {
    for (const by of [OPERATOR, ADMIN, DEV, AGENT])
      given(decidedHold()).when(revoke, { by }).then("hold.revoked");
    given(decidedHold()).when(revoke, { by: AUDITOR }).refused("not_allowed");
    given(decidedHold()).when(revoke, { by: SYSTEM }).refused("not_allowed");
    given(decidedHold()).when(revoke, { by: OTHER_AGENT }).refused("not_found");
    given().when(revoke).refused("not_found");
  });

  test("only an approval by a person whose content still exists can be revoked", () => {
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

  test("revoking is refused once every use was executed, and names the claim", () => {
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
    "a revoked approval with a %s execution cannot be claimed again after a release",
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

  test("an erased hold keeps when its approval was revoked, without names", () => {
    const after = given(decidedHold())
      .when(revoke)
      .then("hold.revoked")
      .when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN })
      .then("hold.erased");
    expect(after.hold().revoked).toEqual({ at: NOW, by: { kind: "key", id: OPERATOR.id } });
  });
});
