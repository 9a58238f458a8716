/**
 * Proof that a human acted (0.8). These are shapes only: which proofs count, and whether one holds, is decided by the
 * service that asked for it.
 */

import * as z from "zod";
import { list, OpenObject } from "../wire/base.ts";
import { integerFrom, Moment, wordOrExtension } from "./values.ts";

const ProofType = wordOrExtension(["proof_of_human"]);
const PresentationFormat = wordOrExtension(["provider_opaque", "jwt", "zkp", "attestation"]);
const Assurance = z.enum(["low", "medium", "high"]);
const Fallback = z.enum(["browser_review", "reject"]);

const EvidenceRequirement = z.strictObject({
  proof_type: ProofType,
  provider: z.string().exactOptional(),
  min_assurance: Assurance.exactOptional(),
  presentation_formats: list(PresentationFormat).exactOptional(),
});

const SubmissionPaths = z
  .array(z.enum(["inline_submit", "browser_submit"]))
  .min(1)
  .refine((paths) => new Set(paths).size === paths.length, "Invalid list: expected each path once")
  .meta({ uniqueItems: true });

export const VerificationPolicy = z.strictObject({
  mode: z.enum(["optional", "required", "step_up"]),
  required_for: SubmissionPaths,
  requirements: z.strictObject({
    any_of: list(z.strictObject({ all_of: list(EvidenceRequirement, { min: 1 }) }), { min: 1 }),
  }),
  binding: z.strictObject({
    case_id: z.boolean(),
    action: z.boolean(),
    challenge: z.string().exactOptional(),
    freshness_seconds: integerFrom(1),
    expires_at: Moment.exactOptional(),
    single_use: z.boolean(),
  }),
  fallback: z.strictObject({ on_missing: Fallback, on_invalid: Fallback }),
});
export type VerificationPolicy = z.infer<typeof VerificationPolicy>;

export const VerificationEvidence = z.strictObject({
  proof_type: ProofType,
  provider: z.string(),
  format: PresentationFormat,
  presentation: z.union([z.string(), OpenObject]),
  binding: z.looseObject({
    case_id: z.string().exactOptional(),
    action: z.string().exactOptional(),
    challenge: z.string().exactOptional(),
  }),
});
export type VerificationEvidence = z.infer<typeof VerificationEvidence>;

const VerifiedEvidence = z.strictObject({
  proof_type: z.string(),
  provider: z.string(),
  assurance_level: Assurance.exactOptional(),
  bound_to_case: z.boolean().exactOptional(),
  bound_to_action: z.boolean().exactOptional(),
  fresh: z.boolean().exactOptional(),
  single_use_enforced: z.boolean().exactOptional(),
  verified_at: Moment.exactOptional(),
});

export const VerificationResult = z.strictObject({
  satisfied: z.boolean(),
  verified_evidence: list(VerifiedEvidence).exactOptional(),
  missing_requirements: list(z.string()).exactOptional(),
});
export type VerificationResult = z.infer<typeof VerificationResult>;
