/** Checks evidence with the verifier of its provider. Evidence of a provider that nobody can check proves nothing. */

import type { VerificationEvidence } from "@holdpoint/protocol/hitl";
import { holdIdOf } from "@holdpoint/protocol/hitl/case";
import type { Assurance, CheckedEvidence } from "../../kernel/hold/verification.ts";
import { canonicalJson } from "../../system/canonical-json.ts";
import { sha256 } from "../../system/digest.ts";

/** What a verifier says: when the proof was made and how sure it is, or `undefined` if the proof does not hold. */
export type EvidenceVerifier = (
  evidence: VerificationEvidence,
) => Promise<{ readonly at: number; readonly assurance?: Assurance } | undefined>;

/** By the name of the provider. */
export type Verifiers = Readonly<Record<string, EvidenceVerifier>>;

export function checkEvidence(
  evidence: readonly VerificationEvidence[],
  verifiers: Verifiers,
): Promise<readonly CheckedEvidence[]> {
  return Promise.all(evidence.map((one) => checked(one, verifiers)));
}

async function checked(evidence: VerificationEvidence, verifiers: Verifiers): Promise<CheckedEvidence> {
  const { proof_type: proofType, provider, format, presentation, binding } = evidence;
  const { case_id: caseId, action, challenge } = binding;
  const verified = await said(evidence, verifiers);
  return {
    id: sha256(canonicalJson({ provider, presentation })),
    ...{ proofType, provider, format },
    bound: {
      ...(caseId === undefined ? {} : { holdId: holdIdOf(caseId) }),
      ...(action === undefined ? {} : { action }),
      ...(challenge === undefined ? {} : { challenge }),
    },
    ...(verified === undefined ? {} : { verified }),
  };
}

/** A verifier that fails has verified nothing. */
async function said(evidence: VerificationEvidence, verifiers: Verifiers) {
  const { provider } = evidence;
  try {
    return Object.hasOwn(verifiers, provider) ? await verifiers[provider]?.(evidence) : undefined;
  } catch {
    return undefined;
  }
}
