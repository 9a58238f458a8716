/** The execution fence of an approved hold. */

import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { ClaimDoneIn, ClaimIn, ClaimOut, ClaimReleaseIn } from "../wire/claim.ts";
import { HoldOut } from "../wire/hold.ts";
import { ACT, BODY, ClaimParams, IdParams } from "./shared.ts";

const ClaimHeaders = z.strictObject({
  "idempotency-key": z
    .string()
    .regex(/^[\w.:-]{8,200}$/)
    .exactOptional()
    .describe("Names the claim: the same call repeated after a lost reply holds the same claim."),
});

export const claimHold = defineOperation({
  id: "claimHold",
  method: "POST",
  path: "/v1/holds/{id}/claim",
  tag: "claims",
  summary: "Claim an approved hold for execution; succeeds as often as the ask says, once by default",
  security: "key",
  params: IdParams,
  headers: ClaimHeaders,
  body: ClaimIn,
  replies: { 201: ClaimOut },
  errors: [
    ...ACT,
    ...BODY,
    "invalid_query",
    "not_claimable",
    "digest_mismatch",
    "claim_taken",
    "claim_unknown",
  ],
});

export const finishClaim = defineOperation({
  id: "finishClaim",
  method: "POST",
  path: "/v1/holds/{id}/claim/{claim_id}/done",
  tag: "claims",
  summary: "Report what became of the execution",
  security: "key",
  params: ClaimParams,
  body: ClaimDoneIn,
  replies: { 200: ClaimOut },
  errors: [...ACT, ...BODY, "claim_taken"],
});

export const releaseClaim = defineOperation({
  id: "releaseClaim",
  method: "POST",
  path: "/v1/holds/{id}/claim/release",
  tag: "claims",
  summary: "Let an approved hold be claimed again after its host was lost",
  security: "key",
  params: IdParams,
  body: ClaimReleaseIn,
  replies: { 200: HoldOut },
  errors: [...ACT, ...BODY, "not_claimable"],
});

export const revokeHold = defineOperation({
  id: "revokeHold",
  method: "POST",
  path: "/v1/holds/{id}/revoke",
  tag: "claims",
  summary: "Take an approval back, so that it can no longer be claimed",
  security: "key",
  params: IdParams,
  replies: { 200: HoldOut },
  errors: [...ACT, "not_claimable", "claim_taken"],
});
