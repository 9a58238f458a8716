/** Commands on intents. The caller supplies ids and salts; the batch supplies the time. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";
import type { CheckpointRequest, RequestIn, RequestType } from "../request/request.ts";
import type { Acl, AclEntry, Intent, IntentStatus, RetryPolicy } from "./intent.ts";
import type { Patch } from "./patch.ts";
import type { DecisionRecord, Failure, IntentCheckpoint, Subscription } from "./records.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

interface OnIntent extends By {
  readonly intentId: string;
}

/** Id and salt for the hold, if this command suspends the intent. */
export interface MadeHold {
  readonly holdId: string;
  readonly salt: string;
}

export interface CreateIntent extends By {
  readonly kind: "create_intent";
  readonly intent: Pick<
    Intent,
    "id" | "title" | "description" | "dependsOn" | "constraints" | "state" | "confidence"
  > &
    Partial<Pick<Intent, "parentId" | "governance" | "gate" | "access">>;
  readonly status?: IntentStatus;
}

export interface PatchState extends OnIntent {
  readonly kind: "patch_state";
  readonly patches: readonly Patch[];
  readonly ifVersion: number;
  readonly made: MadeHold;
}

export interface SetStatus extends OnIntent {
  readonly kind: "set_status";
  readonly status: IntentStatus;
  readonly reason?: string;
  readonly ifVersion: number;
  readonly made: MadeHold;
}

export interface ChangeDependency extends OnIntent {
  readonly kind: "add_dependency" | "remove_dependency";
  readonly dependencyId: string;
  readonly ifVersion: number;
}

/** Sets the status and places the hold in one command, so nobody sees one without the other. */
export interface SuspendIntent extends OnIntent {
  readonly kind: "suspend_intent";
  readonly record: Json;
  readonly ifVersion?: number;
  readonly made: MadeHold;
}

export interface RespondToSuspension extends OnIntent {
  readonly kind: "respond_to_suspension";
  readonly suspensionId: string;
  /** Absent: the caller sent no value. */
  readonly value?: Json;
  readonly ifVersion?: number;
  readonly made: MadeHold;
}

export interface CancelSuspension extends OnIntent {
  readonly kind: "cancel_suspension";
  readonly suspensionId: string;
  readonly reason?: string;
}

export interface LogEvent extends OnIntent {
  readonly kind: "log_event";
  readonly type: string;
  readonly payload: JsonObject;
  readonly claimedActor?: string;
  readonly traceId?: string;
  readonly parentEventId?: string;
}

export interface AcquireLease extends OnIntent {
  readonly kind: "acquire_lease";
  readonly leaseId: string;
  readonly scope: string;
  /** The caller itself, if absent. */
  readonly agentId?: string;
  readonly durationMs: number;
}

export interface RenewLease extends OnIntent {
  readonly kind: "renew_lease";
  readonly leaseId: string;
  readonly agentId: string;
  readonly durationMs: number;
}

export interface ReleaseLease extends OnIntent {
  readonly kind: "release_lease";
  readonly leaseId: string;
  readonly agentId: string;
}

export type AclEntryIn = Omit<AclEntry, "grantedBy" | "grantedAt">;

export interface SetAcl extends OnIntent {
  readonly kind: "set_acl";
  readonly policy: Acl["policy"];
  readonly entries: readonly AclEntryIn[];
}

export interface GrantAccess extends OnIntent {
  readonly kind: "grant_access";
  readonly entry: AclEntryIn;
}

export interface RevokeAccess extends OnIntent {
  readonly kind: "revoke_access";
  readonly entryId: string;
}

export interface SetGovernance extends OnIntent {
  readonly kind: "set_governance";
  /** `null` removes it. */
  readonly policy: JsonObject | null;
  readonly ifVersion: number;
}

export interface AssignAgent extends OnIntent {
  readonly kind: "assign_agent" | "unassign_agent";
  readonly agentId: string;
}

export interface SetRetryPolicy extends OnIntent {
  readonly kind: "set_retry_policy";
  readonly policy: Omit<RetryPolicy, "madeAt" | "changedAt">;
}

export interface RecordFailure extends OnIntent {
  readonly kind: "record_failure";
  /** Without `agentId` the caller itself has failed. */
  readonly failure: Omit<Failure, "intentId" | "at" | "attempt" | "agentId"> &
    Partial<Pick<Failure, "attempt" | "agentId">>;
}

export interface RecordDecision extends OnIntent {
  readonly kind: "record_decision";
  readonly decision: Omit<DecisionRecord, "intentId" | "at" | "madeBy">;
}

/** Asks people about the intent without suspending it. */
export interface AskAboutIntent extends OnIntent {
  readonly kind: "ask_about_intent";
  readonly request: Exclude<RequestIn, CheckpointRequest>;
  readonly made: MadeHold;
}

export interface AnswerIntentRequest extends OnIntent {
  readonly kind: "answer_intent_request";
  readonly requestId: string;
  readonly type: RequestType;
  readonly action: string;
  readonly data: JsonObject;
}

export interface PutSubscription extends By {
  readonly kind: "put_subscription";
  readonly subscription: Omit<Subscription, "owner" | "ownerKey" | "madeAt" | "active">;
}

export interface EndSubscription extends By {
  readonly kind: "remove_subscription" | "expire_subscription";
  readonly subscriptionId: string;
}

export interface KeepIntentCheckpoint extends OnIntent {
  readonly kind: "keep_intent_checkpoint";
  readonly checkpoint: IntentCheckpoint;
}

/** Issued by the server's timer: applies everything that is due on one intent. */
export interface TickIntent extends OnIntent {
  readonly kind: "tick_intent";
}

export type OnOneIntent =
  | PatchState
  | SetStatus
  | ChangeDependency
  | SuspendIntent
  | RespondToSuspension
  | CancelSuspension
  | LogEvent
  | AcquireLease
  | RenewLease
  | ReleaseLease
  | SetAcl
  | GrantAccess
  | RevokeAccess
  | SetGovernance
  | AssignAgent
  | SetRetryPolicy
  | RecordFailure
  | RecordDecision
  | AskAboutIntent
  | AnswerIntentRequest
  | KeepIntentCheckpoint
  | TickIntent;

export type IntentCommand = CreateIntent | OnOneIntent | PutSubscription | EndSubscription;
