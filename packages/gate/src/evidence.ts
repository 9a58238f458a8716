/**
 * Small, pure helpers around evidence (aioc RFC-0006). They prepare what a policy looks at; they allow nothing.
 * A grant's own expiry counts here, a proposal's `expiresAt` never does.
 */

import { defined } from "@holdpoint/protocol/client";
import type { ApprovalGrant, ApprovalRequestSeed, SuspendedProposal } from "@holdpoint/protocol/proposal";

/**
 * What an approval request starts from. The proposal's metadata stays behind.
 *
 * @example
 * ```ts
 * await queue.save(createApprovalRequestSeed(error.suspendedProposal));
 * ```
 */
export function createApprovalRequestSeed(proposal: SuspendedProposal): ApprovalRequestSeed {
  const { proposalHash, kind, reason, publicReason, policyVersion, expiresAt } = proposal;
  const resource =
    proposal.kind === "tool"
      ? { resourceName: proposal.toolName, canonicalPayloadJson: proposal.argsCanonicalJson }
      : { resourceName: proposal.toAgentName, canonicalPayloadJson: proposal.payloadCanonicalJson };
  return { proposalHash, kind, reason, ...defined({ publicReason, policyVersion, expiresAt }), ...resource };
}

/**
 * Whether a grant counts at `now` (RFC 3339; the current time when absent): not revoked, not past its expiry. At the
 * very moment of its expiry it still counts.
 *
 * @throws {RangeError} when a time is not a time: a grant that cannot be dated must not count by accident.
 *
 * @example
 * ```ts
 * isApprovalGrantActive({ proposalHash, approvedAt: "2026-11-15T10:00:00Z" }); // true
 * ```
 */
export function isApprovalGrantActive(grant: ApprovalGrant, now?: string): boolean {
  const at = now === undefined ? Date.now() : timeOf(now);
  if (grant.revokedAt !== undefined) return false;
  timeOf(grant.approvedAt);
  return grant.expiresAt === undefined || timeOf(grant.expiresAt) >= at;
}

/**
 * The active grant for exactly this proposal; the newest of several, the first of equally new ones.
 *
 * @example
 * ```ts
 * const toolPolicy: ToolPolicy<{ grants: ApprovalGrant[] }> = ({ proposalHash, runContext }) =>
 *   findActiveApprovalGrant(proposalHash, runContext.context.grants)
 *     ? allow("approval_granted")
 *     : requireApproval("needs_a_person");
 * ```
 */
export function findActiveApprovalGrant(
  proposalHash: string,
  grants: readonly ApprovalGrant[],
  now?: string,
): ApprovalGrant | null {
  return newestActive(grants, now).get(proposalHash) ?? null;
}

/**
 * Active grants by proposal hash. The object has no prototype: a "hash" named `constructor` finds nothing.
 *
 * @example
 * ```ts
 * const context = { grants: toActiveApprovalGrantMap(grants) };
 * ```
 */
export function toActiveApprovalGrantMap(
  grants: readonly ApprovalGrant[],
  now?: string,
): Readonly<Record<string, ApprovalGrant>> {
  return Object.assign(Object.create(null), Object.fromEntries(newestActive(grants, now)));
}

/**
 * The hashes that are approved now, each once.
 *
 * @example
 * ```ts
 * const context = { approvedProposalHashes: toApprovedProposalHashes(grants) };
 * ```
 */
export function toApprovedProposalHashes(grants: readonly ApprovalGrant[], now?: string): string[] {
  return [...newestActive(grants, now).keys()];
}

function newestActive(grants: readonly ApprovalGrant[], now?: string): Map<string, ApprovalGrant> {
  const newest = new Map<string, ApprovalGrant>();
  for (const grant of grants) {
    if (!isApprovalGrantActive(grant, now)) continue;
    const known = newest.get(grant.proposalHash);
    if (known === undefined || timeOf(grant.approvedAt) > timeOf(known.approvedAt)) {
      newest.set(grant.proposalHash, grant);
    }
  }
  return newest;
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new RangeError(`Not a time: ${text}. Write it in ISO 8601, such as 2026-01-31T12:00:00Z.`);
  return time;
}
