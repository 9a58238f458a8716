/**
 * A question about an intent that does not suspend it: an approval, an escalation, an arbitration, a request for access, or a
 * plan's checkpoint that has to wait beside another one. Each is a hold. This row keeps what the protocol shows of it.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Level } from "../intent/intent.ts";

/** The most questions about one intent that wait at the same time. */
export const REQUESTS_MAX = 100;
/** The most requests for access that wait at the same time, of all who have no access, besides those questions. */
export const STRANGERS_MAX = 20;
/** The most of those of one asker. */
export const STRANGER_MAX = 5;

interface Asked {
  readonly id: string;
  readonly reason: string;
  readonly context: JsonObject;
}

/** `action`: what will be done. The action `complete` counts for a policy that asks people before the intent completes. */
export interface ApprovalRequest extends Asked {
  readonly type: "approval";
  readonly action: string;
}

export interface EscalationRequest extends Asked {
  readonly type: "escalation";
  readonly priority: string;
  readonly urgency: string;
}

export interface ArbitrationRequest extends Asked {
  readonly type: "arbitration";
}

export interface AccessRequest extends Asked {
  readonly type: "access";
  readonly principalId: string;
  readonly principalType: string;
  readonly permission: Level;
  readonly capabilities: readonly string[];
}

export interface CheckpointRequest extends Asked {
  readonly type: "checkpoint";
  readonly planId: string;
  readonly checkpointId: string;
}

export type RequestIn =
  | ApprovalRequest
  | EscalationRequest
  | ArbitrationRequest
  | AccessRequest
  | CheckpointRequest;
export type RequestType = RequestIn["type"];

interface Kept {
  readonly intentId: string;
  readonly holdId: string;
  readonly askedBy: string;
  readonly at: number;
  readonly status: "pending" | "approved" | "denied" | "resolved" | "expired" | "cancelled";
  readonly endedAt?: number;
  /** Only what a person decided has a decider (G5). */
  readonly decidedBy?: string;
  /** The version of the intent that an approval is about. Absent in rows that earlier versions wrote. */
  readonly version?: number;
  readonly notes?: string;
  readonly resolution?: string;
}

export type IntentRequest = RequestIn & Kept;

/** What the intent keeps of a question that waits. */
export interface RequestRef {
  readonly id: string;
  readonly holdId: string;
  readonly type: RequestType;
  readonly action?: string;
  /** The asker of a request for access who had none. Absent in rows of earlier versions. */
  readonly stranger?: string;
  /** As in the question's row. */
  readonly version?: number;
}

/** The domain name under which holds attach to these questions. */
export const INTENT_REQUEST = "intent_request";

/** The field that a hold's row keeps of the question it stands for. */
interface OnRequest extends Hold {
  readonly intentRequestId?: string;
}

export function requestIdOf(hold: OnRequest): string | undefined {
  return hold.intentRequestId;
}

export function requestFields(intentRequestId: string): Partial<OnRequest> {
  return { intentRequestId };
}
