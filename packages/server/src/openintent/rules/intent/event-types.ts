/**
 * The event names of OpenIntent 0.17. Clients parse them as a closed set: one unknown name makes the whole log unreadable for
 * them. So the server logs no other names. Agents use `comment` for free text.
 */

const UNDERSCORED: readonly string[] = [
  ...["intent_created", "state_patched", "status_changed", "agent_assigned", "agent_unassigned"],
  ...["constraint_added", "constraint_removed", "dependency_added", "dependency_removed"],
  ...["lease_acquired", "lease_released", "arbitration_requested", "decision_recorded", "attachment_added"],
  ...["portfolio_created", "added_to_portfolio", "removed_from_portfolio", "failure_recorded", "comment"],
  ...["tool_call_started", "tool_call_completed", "tool_call_failed"],
  ...["llm_request_started", "llm_request_completed", "llm_request_failed"],
  ...["stream_started", "stream_chunk", "stream_completed", "stream_cancelled"],
  ...["access_granted", "access_revoked", "access_expired"],
  ...["access_requested", "access_request_approved", "access_request_denied"],
];

/** Keyed by the part before the last dot. */
const DOTTED: Readonly<Record<string, string>> = {
  task: "created ready claimed started progress completed failed retrying blocked unblocked delegated escalated cancelled skipped",
  plan: "created activated paused resumed completed failed checkpoint_reached checkpoint_approved checkpoint_rejected",
  coordinator:
    "decision heartbeat paused resumed replaced unresponsive failed_over handoff plan_overridden guardrails_updated stalled escalation_resolved",
  governance: "policy_set policy_removed approval_granted approval_denied violation approval_enforced",
  tool: "invoked denied",
  grant: "created delegated revoked expired suspended resumed",
  credential: "created rotated expired revoked",
  memory: "created updated deleted archived evicted expired",
  agent: "lifecycle registered status_changed dead",
  "agent.identity": "registered rotated revoked challenge_issued verified",
  trigger: "fired skipped cascade_limit namespace_blocked",
  "log.checkpoint": "created anchored",
  channel: "created closed message",
  federation: "dispatched received callback budget_warning completed failed",
  intent: "suspended resumed suspension_expired suspension_renotified suspension_escalated",
  engagement: "decision",
  portfolio: "member_suspended member_resumed",
};

export const EVENT_TYPES: ReadonlySet<string> = new Set([
  ...UNDERSCORED,
  ...Object.entries(DOTTED).flatMap(([prefix, words]) => words.split(" ").map((word) => `${prefix}.${word}`)),
]);

/** Only the server may log these: an agent could otherwise claim a person's decision or grant itself access. */
export const RESERVED_EVENTS: ReadonlySet<string> = new Set([
  ...[
    "intent.resumed",
    "intent.suspension_expired",
    "portfolio.member_suspended",
    "portfolio.member_resumed",
  ],
  ...["governance.approval_granted", "governance.approval_denied", "governance.approval_enforced"],
  ...["governance.policy_set", "governance.policy_removed"],
  ...["plan.checkpoint_approved", "plan.checkpoint_rejected"],
  ...["access_granted", "access_revoked", "access_expired"],
  ...["access_request_approved", "access_request_denied"],
]);

/** Agents written for other servers log these themselves. This server logs them, so a second one is deduplicated. */
export const LOGGED_BY_SERVER: ReadonlySet<string> = new Set([
  "intent.suspended",
  "intent.suspension_renotified",
  "intent.suspension_escalated",
]);

/** Filters accept dots and underscores alike, because the protocol's documents use both. */
export function sameEventType(a: string, b: string): boolean {
  return a === b || a.replaceAll(".", "_") === b.replaceAll(".", "_");
}
