/** What belongs to an intent but has rows of its own, because there may be many. */

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

/** Who wants to hear of events: of one intent, of a portfolio's members, or of all of the workspace. */
export interface Subscription {
  readonly id: string;
  readonly intentId?: string;
  readonly portfolioId?: string;
  readonly subscriberId: string;
  readonly eventTypes: readonly string[];
  readonly webhookUrl?: string;
  readonly owner: Watcher["owner"];
  /** Id of the key that made it; signs the deliveries. */
  readonly ownerKey: string;
  readonly active: boolean;
  readonly madeAt: number;
  readonly expiresAt?: number;
}

/** A signed statement over a stretch of one intent's log; each begins where the one before ended. */
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
