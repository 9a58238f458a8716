/** Intents, leases and records for tests of the core; each a plausible whole that a test changes in one place. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { MadeHold } from "../openintent/rules/intent/commands.ts";
import type { Acl, Intent, Lease } from "../openintent/rules/intent/intent.ts";
import type {
  DecisionRecord,
  Failure,
  IntentCheckpoint,
  Subscription,
} from "../openintent/rules/intent/records.ts";
import type { Recorded } from "./tables.ts";

export const INTENT_ID = "intent_00000000000000000000000001";
export const MADE: MadeHold = { holdId: "h1", salt: "salt-1" };

/** An active intent of `refunder`, as it lies in the store. */
export function intentBody(part: Partial<Intent> = {}): Intent {
  return {
    id: INTENT_ID,
    title: "Refund order o-1",
    description: "",
    createdBy: "refunder",
    createdAt: 0,
    updatedAt: 0,
    dependsOn: [],
    constraints: {},
    state: {},
    status: "active",
    confidence: 0,
    version: 1,
    history: [],
    leases: [],
    agents: [],
    failures: 0,
    watchers: [],
    logged: 1,
    checkpointed: 0,
    ...part,
  };
}

export function intentRow(part: Partial<Intent> = {}) {
  const body = intentBody(part);
  return { kind: "intent", id: body.id, body } as const;
}

/** A question with two choices. */
export const RECORD: JsonObject = {
  id: "s1",
  question: "Refund 40 EUR?",
  response_type: "choice",
  choices: [
    { value: "approve", label: "Approve", description: "Pay it back" },
    { value: "deny", label: "Deny" },
  ],
  context: { order: "o-1" },
  fallback_policy: "fail",
};

export function lease(part: Partial<Lease> = {}): Lease {
  const times = { acquiredAt: 0, durationMs: 10_000, expiresAt: 10_000 };
  return { id: "lease_1", scope: "payment", agentId: "refunder", status: "active", ...times, ...part };
}

export function closedFor(
  ...entries: readonly (readonly [string, Acl["entries"][number]["permission"]])[]
): Acl {
  return {
    policy: "closed",
    entries: entries.map(([principalId, permission], index) => ({
      id: `acl_${index}`,
      principalId,
      principalType: "agent",
      permission,
      grantedBy: "refunder",
      grantedAt: 0,
    })),
  };
}

export const FAILURE: Failure = {
  id: "fail_1",
  intentId: INTENT_ID,
  agentId: "refunder",
  attempt: 1,
  errorCode: "TIMEOUT",
  errorMessage: "took too long",
  metadata: {},
  at: 0,
};

export const DECISION: DecisionRecord = {
  id: "dec_1",
  intentId: INTENT_ID,
  madeBy: "refunder",
  decisionType: "route",
  outcome: "manual",
  reasoning: "",
  at: 0,
};

export function subscription(part: Partial<Subscription> = {}): Subscription {
  return {
    id: "sub_1",
    subscriberId: "refunder",
    eventTypes: [],
    webhookUrl: "https://example.com/hook",
    owner: { role: "agent", name: "refunder" },
    ownerKey: "key_refunder",
    active: true,
    madeAt: 0,
    ...part,
  };
}

export function intentCheckpoint(part: Partial<IntentCheckpoint> = {}): IntentCheckpoint {
  return {
    id: "chk_1",
    intentId: INTENT_ID,
    firstSeq: 1,
    lastSeq: 1,
    merkleRoot: "sha256:root",
    at: 0,
    signedBy: "did:key:z",
    signature: "signature",
    ...part,
  };
}

/** What was told, in order: the events of intents by their own names, all other facts by theirs. */
export function told(facts: readonly Recorded[]): readonly string[] {
  return facts.map(({ fact }) => (fact.type === "intent.logged" ? fact.entry.type : fact.type));
}

/** The command that creates an active intent. */
export const createIntent = (id: string, part: object = {}) =>
  ({
    kind: "create_intent",
    intent: {
      ...{ id, title: id, description: "", dependsOn: [], constraints: {}, state: {}, confidence: 0 },
      ...part,
    },
    status: "active",
  }) as const;
