/**
 * The states of an approval request, and how a hold's life looks as one of them. `approved` means that evidence exists;
 * whether anything was executed is the claim's matter, not a state.
 */

import type { Hold } from "@holdpoint/protocol/client";

/** Every state that an approval request can be in. */
export const APPROVAL_STATES = ["pending", "approved", "rejected", "expired", "dismissed"] as const;

export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Every step there is; a state without steps is final. An approval ends only by time. */
const STEPS: Readonly<Record<ApprovalState, readonly ApprovalState[]>> = {
  pending: ["approved", "rejected", "expired", "dismissed"],
  approved: ["expired"],
  rejected: [],
  expired: [],
  dismissed: [],
};

/**
 * Whether an approval request may go from one state to another.
 *
 * @example
 * ```ts
 * canBecome("pending", "approved"); // true
 * canBecome("rejected", "approved"); // false
 * ```
 */
export function canBecome(from: ApprovalState, to: ApprovalState): boolean {
  return STEPS[from].includes(to);
}

/**
 * Only `approve` grants; asking for changes settles the hold and grants nothing. An answer by a link that the asking agent
 * had been given is no person's approval, so it counts as rejected (G7). Of an erased hold nobody can say any more what was
 * approved, so it is evidence of nothing.
 *
 * @example
 * ```ts
 * approvalStateOf(await client.get(holdId)); // "pending"
 * ```
 */
export function approvalStateOf(hold: Pick<Hold, "status" | "outcome" | "erasedAt">): ApprovalState {
  switch (hold.status) {
    case "open":
      return "pending";
    case "expired":
      return "expired";
    case "cancelled":
      return "dismissed";
    case "decided":
      if (hold.outcome?.kind !== "decided" || hold.outcome.action !== "approve") return "rejected";
      if (hold.outcome.by.givenTo === "asker") return "rejected";
      return hold.erasedAt === undefined ? "approved" : "expired";
  }
}
