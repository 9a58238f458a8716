/** Evidence that a proposal was approved (aioc RFC-0006). Data only: nothing executes because a grant exists (G10). */

export interface ApprovalGrant {
  proposalHash: string;
  /** RFC 3339. */
  approvedAt: string;
  expiresAt?: string;
  /** Present, with any value: no longer a grant. */
  revokedAt?: string;
  metadata?: Record<string, unknown>;
}

/** What an approval request starts from: enough to identify and review the action, nothing more. */
export interface ApprovalRequestSeed {
  proposalHash: string;
  kind: "tool" | "handoff";
  reason: string;
  publicReason?: string;
  policyVersion?: string;
  expiresAt?: string;
  /** The tool, or the agent that would take over. */
  resourceName: string;
  canonicalPayloadJson: string;
}
