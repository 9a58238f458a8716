/**
 * Evidence that a case asks for: which proofs must come with an answer, and whether those that came suffice. A verifier has
 * checked each proof before; here it is decided whether it is bound to this answer, fresh, not used before, and enough.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Proof } from "../decision/decision.ts";
import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Need } from "../world.ts";
import { about } from "./about.ts";
import type { AnswerHold } from "./commands.ts";
import type { Door, Hold } from "./hold.ts";

const ASSURANCES = ["low", "medium", "high"] as const;
export type Assurance = (typeof ASSURANCES)[number];

interface Requirement {
  readonly proof_type: string;
  readonly provider?: string;
  readonly min_assurance?: Assurance;
  readonly presentation_formats?: readonly string[];
}

/** The policy as the HITL Protocol writes it. It is stored with the hold as it came. */
export interface EvidencePolicy {
  readonly mode: "optional" | "required" | "step_up";
  readonly required_for: readonly string[];
  readonly requirements: { readonly any_of: readonly { readonly all_of: readonly Requirement[] }[] };
  readonly binding: {
    readonly case_id: boolean;
    readonly action: boolean;
    readonly challenge?: string;
    readonly freshness_seconds: number;
    readonly expires_at?: string;
    readonly single_use: boolean;
  };
  readonly fallback: { readonly on_missing: string; readonly on_invalid: string };
}

/** One piece of evidence, with what its verifier says. */
export interface CheckedEvidence {
  /** The same for the same presentation, whatever case it is sent with. */
  readonly id: string;
  readonly proofType: string;
  readonly provider: string;
  readonly format: string;
  /** What the evidence says it is bound to. */
  readonly bound: { readonly holdId?: string; readonly action?: string; readonly challenge?: string };
  /** Absent: the verifier refused it, or there is none for this provider. */
  readonly verified?: { readonly at: number; readonly assurance?: Assurance };
}

/** Evidence of a ceremony on this server's own page: its challenge was this server's, and is used up already. */
interface OwnEvidence extends CheckedEvidence {
  readonly isOwn?: true;
}

/** A signature of a passkey, as evidence. */
export const PASSKEY_PROOF = "x-webauthn";
export const OWN_PROVIDER = "holdpoint";

export function policyOf({ face }: Pick<Hold, "face">): EvidencePolicy | undefined {
  return face?.["verification"] as EvidencePolicy | undefined;
}

export function isRequiredFor({ mode, required_for }: EvidencePolicy, path: string): boolean {
  return mode !== "optional" && required_for.includes(path);
}

/** An inline answer is one path. Every other door counts as the page, so that none of them is a way around it. */
function pathOf(door: Door): string {
  return door === "inline" ? "inline_submit" : "browser_submit";
}

/** Whether people have to confirm their answer with a passkey: the decision says so, or the case's policy. */
export function wantsPasskey({ decision, face }: Pick<Hold, "decision" | "face">): boolean {
  const policy = policyOf(face === undefined ? {} : { face });
  return (
    decision?.strength === "passkey" || (policy !== undefined && isRequiredFor(policy, "browser_submit"))
  );
}

/** Whether a passkey alone can meet the policy. */
export function isMetByPasskey({ requirements }: EvidencePolicy): boolean {
  const passkey = { proofType: PASSKEY_PROOF, provider: OWN_PROVIDER, format: PASSKEY_PROOF };
  return requirements.any_of.some(({ all_of }) =>
    all_of.every((requirement) => fits({ ...passkey, verified: { at: 0, assurance: "high" } }, requirement)),
  );
}

export function evidenceNeeds({ evidence = [] }: Pick<AnswerHold, "evidence">): readonly Need[] {
  return evidence.map(({ id }) => ({ kind: "used_evidence", id }));
}

type Answer = Pick<AnswerHold, "action" | "door" | "by"> & {
  readonly evidence?: readonly CheckedEvidence[];
  readonly proof?: Proof;
};

export interface Verified {
  /** What was verified, without the proofs; absent: nothing was asked for and nothing was sent. */
  readonly result?: JsonObject;
}

/** Uses up the evidence, or says why it does not suffice. */
export function verify(hold: Hold, answer: Answer, draft: Draft, now: number): Verified | Failure {
  const policy = policyOf(hold);
  const given: readonly OwnEvidence[] = [...(answer.evidence ?? []), ...passkeyEvidence(answer, hold, now)];
  if (policy === undefined) return {};
  const isRequired = isRequiredFor(policy, pathOf(answer.door));
  if (!isRequired && given.length === 0) return {};
  const good = given.filter((one): one is GoodEvidence => isGood(one, policy, hold, answer, draft, now));
  const missing = missingIn(policy, good);
  if (isRequired && missing.length > 0) return insufficient(policy, given.length === 0, missing);
  const ids = good.flatMap(({ id, isOwn }) => (isOwn === true ? [] : [id]));
  if (policy.binding.single_use && ids.length > 0)
    draft.state(about(hold, { type: "hold.evidence_used", ids }, now, answer.by));
  return { result: resultOf(policy, good, missing) };
}

function passkeyEvidence(
  { proof, action }: Answer,
  { id: holdId }: Hold,
  now: number,
): readonly OwnEvidence[] {
  if (proof === undefined) return [];
  const { challenge } = proof;
  const words = { proofType: PASSKEY_PROOF, provider: OWN_PROVIDER, format: PASSKEY_PROOF };
  const verified = { at: now, assurance: "high" } as const;
  return [{ id: challenge, ...words, bound: { holdId, action }, verified, isOwn: true }];
}

type GoodEvidence = OwnEvidence & Required<Pick<OwnEvidence, "verified">>;

/** Verified, bound as the policy says, fresh, and not used before. */
function isGood(
  { id, bound, verified, isOwn }: OwnEvidence,
  { binding }: EvidencePolicy,
  hold: Hold,
  { action }: Answer,
  draft: Draft,
  now: number,
): boolean {
  if (verified === undefined) return false;
  const age = now - verified.at;
  const isBound =
    (!binding.case_id || bound.holdId === hold.id) &&
    (!binding.action || bound.action === action) &&
    (binding.challenge === undefined || isOwn === true || bound.challenge === binding.challenge);
  const isFresh =
    age >= 0 &&
    age <= binding.freshness_seconds * 1000 &&
    (binding.expires_at === undefined || now < Date.parse(binding.expires_at));
  return (
    isBound &&
    isFresh &&
    (isOwn === true || !binding.single_use || draft.get("used_evidence", id) === undefined)
  );
}

type Fitting = Pick<CheckedEvidence, "proofType" | "provider" | "format" | "verified">;

function fits({ proofType, provider, format, verified }: Fitting, requirement: Requirement): boolean {
  const { min_assurance: least, presentation_formats: formats } = requirement;
  const have = verified?.assurance;
  return (
    proofType === requirement.proof_type &&
    (requirement.provider === undefined || provider === requirement.provider) &&
    (formats === undefined || formats.includes(format)) &&
    (least === undefined || (have !== undefined && ASSURANCES.indexOf(have) >= ASSURANCES.indexOf(least)))
  );
}

/** What the branch that is nearest to being met still lacks; nothing if one branch is met. */
function missingIn({ requirements }: EvidencePolicy, good: readonly CheckedEvidence[]): readonly string[] {
  const lacking = requirements.any_of.map(({ all_of }) =>
    all_of
      .filter((requirement) => !good.some((one) => fits(one, requirement)))
      .map(({ proof_type, provider }) => (provider === undefined ? proof_type : `${proof_type}:${provider}`)),
  );
  return lacking.reduce((least, branch) => (branch.length < least.length ? branch : least));
}

function insufficient({ fallback }: EvidencePolicy, isAbsent: boolean, missing: readonly string[]): Failure {
  const instead = isAbsent ? fallback.on_missing : fallback.on_invalid;
  const what = isAbsent ? "this answer needs evidence" : "the evidence does not hold for this answer";
  const how = instead === "reject" ? "there is no other way to answer" : "answer on the review page instead";
  return failure(
    isAbsent ? "verification_required" : "verification_failed",
    `${what}: ${missing.join(", ")}; ${how}`,
  );
}

/** What the policy says about an answer that was refused for its evidence. */
export function fallbackFor({ fallback }: EvidencePolicy, code: string): string {
  return code === "verification_required" ? fallback.on_missing : fallback.on_invalid;
}

function resultOf(
  { binding }: EvidencePolicy,
  good: readonly GoodEvidence[],
  missing: readonly string[],
): JsonObject {
  return {
    satisfied: missing.length === 0,
    verified_evidence: good.map(({ proofType, provider, verified }) => ({
      ...{ proof_type: proofType, provider },
      ...(verified.assurance === undefined ? {} : { assurance_level: verified.assurance }),
      ...{ bound_to_case: binding.case_id, bound_to_action: binding.action, fresh: true },
      single_use_enforced: binding.single_use,
      verified_at: new Date(verified.at).toISOString(),
    })),
    missing_requirements: [...missing],
  };
}
