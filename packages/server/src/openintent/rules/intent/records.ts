/** Records that belong to an intent and have rows of their own, because there may be many. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Watcher } from "./intent.ts";

export interface Failure {
  readonly id: string;
  readonly intentId: string;
  readonly agentId: string;
  readonly attempt: number;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly retryAt?: number;
  readonly metadata: JsonObject;
  readonly at: number;
}

export interface DecisionRecord {
  readonly id: string;
  readonly intentId: string;
  readonly madeBy: string;
  readonly decisionType: string;
  readonly outcome: string;
  readonly reasoning: string;
  readonly at: number;
}

/** A subscription to the events of one intent, of a portfolio's members, or of the whole workspace. */
export interface Subscription {
  readonly id: string;
  readonly intentId?: string;
  readonly portfolioId?: string;
  readonly subscriberId: string;
  readonly eventTypes: readonly string[];
  readonly webhookUrl?: string;
  readonly owner: Watcher["owner"];
  /** The id of the key that created it. Deliveries are signed with that key's secret. */
  readonly ownerKey: string;
  readonly active: boolean;
  readonly madeAt: number;
  readonly expiresAt?: number;
}

/** A signed statement over a range of one intent's log. Each begins right after the one before. */
export interface IntentCheckpoint {
  readonly id: string;
  readonly intentId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly merkleRoot: string;
  readonly at: number;
  readonly signedBy: string;
  readonly signature: string;
}
