/** OpenIntent's objects as they travel: members keep the wire's names, so that records can be written to a state and read back. */

import type { Json, JsonObject } from "@holdpoint/protocol/rules";

export type IntentStatus =
  | "draft"
  | "active"
  | "blocked"
  | "suspended_awaiting_input"
  | "completed"
  | "abandoned";

export interface Intent {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version: number;
  readonly status: IntentStatus;
  readonly state: JsonObject;
  readonly constraints: JsonObject;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly confidence: number;
  readonly parent_intent_id: string | null;
  readonly depends_on: readonly string[];
  readonly governance_policy: JsonObject | null;
  readonly abandonment_reason?: string;
}

export interface IntentEvent {
  readonly id: string;
  readonly intent_id: string;
  readonly event_type: string;
  readonly actor: string;
  readonly payload: JsonObject;
  readonly created_at: string;
  readonly sequence: number;
  readonly event_hash: string;
  readonly previous_event_hash: string | null;
}

export interface Lease {
  readonly id: string;
  readonly intent_id: string;
  readonly agent_id: string;
  readonly scope: string;
  readonly status: "active" | "released" | "expired" | "revoked";
  readonly expires_at: string;
}

export type ResponseType = "choice" | "confirm" | "text" | "form";
export type FallbackPolicy = "fail" | "complete_with_fallback" | "use_default_and_continue";

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  readonly style?: "primary" | "danger" | "default";
  readonly metadata?: JsonObject;
};

export interface EscalationStep {
  readonly attempt: number;
  readonly channel_hint?: string;
  readonly notify_to?: string | null;
}

/** Every member may be absent: what one level leaves open, the next one fills. */
export type HumanRetryPolicy = {
  readonly max_attempts?: number;
  readonly interval_seconds?: number;
  readonly strategy?: "fixed" | "linear" | "exponential";
  readonly escalation_ladder?: readonly EscalationStep[];
  readonly final_fallback_policy?: FallbackPolicy;
};

export type Suspension = {
  readonly id: string;
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices?: readonly Choice[];
  readonly context: JsonObject;
  readonly channel_hint?: string;
  readonly suspended_at?: string;
  readonly timeout_seconds?: number;
  readonly expires_at?: string;
  readonly fallback_value?: Json;
  readonly fallback_policy: FallbackPolicy;
  readonly retry_policy?: HumanRetryPolicy | null;
  readonly confidence_at_suspension?: number;
  readonly decision_record?: JsonObject;
  readonly response?: Json;
  readonly responded_at?: string;
  readonly responded_by?: string;
  readonly metadata?: JsonObject;
  readonly resolution?: "responded" | "expired" | "cancelled";
  readonly expiry_reason?: string;
};

/** What a person answered, as hooks see it. */
export interface InputResponse {
  readonly suspension_id: string;
  readonly value: Json;
  readonly choice_label?: string;
  readonly choice_description?: string;
  readonly responded_by?: string;
  readonly responded_at?: string;
  readonly metadata: JsonObject;
}

export interface Respond {
  readonly suspension_id: string;
  readonly value: Json;
  readonly responded_by?: string;
  readonly metadata?: JsonObject;
}

export interface RespondReply {
  readonly intent_id: string;
  readonly suspension_id: string;
  readonly resolution: "responded";
  readonly value: Json;
  readonly responded_by: string;
  readonly responded_at: string;
  readonly choice_label?: string;
  readonly choice_description?: string;
}

export interface Patch {
  readonly op: "set" | "append" | "remove";
  readonly path: string;
  readonly value?: Json;
}

export interface ServerConfig {
  readonly protocol_version: string;
  readonly suspension: { readonly default_retry_policy: HumanRetryPolicy | null };
}

export interface LogCheckpoint {
  readonly checkpoint_id: string;
  readonly intent_id: string;
  readonly merkle_root: string;
  readonly event_count: number;
  readonly first_sequence: number;
  readonly last_sequence: number;
  readonly signed_by: string;
  readonly signature: string;
}

export interface MerkleProof {
  readonly event_id: string;
  readonly event_hash: string;
  readonly checkpoint_id: string;
  readonly merkle_root: string;
  readonly proof_hashes: readonly { readonly hash: string; readonly position: "left" | "right" }[];
  readonly leaf_index: number;
}

export interface StreamFrame {
  /** `STATUS_CHANGED`, `intent.suspended`, … */
  readonly event: string;
  /** Of the event; give it back to go on after it. */
  readonly id: string;
  readonly data: JsonObject;
}
