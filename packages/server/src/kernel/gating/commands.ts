/** Commands about rules, checks and grants. */

import type { RuleSet, Verdict } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../principal.ts";
import type { RulesVersion } from "./gating.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface PublishRules extends By {
  readonly kind: "publish_rules";
  readonly set: RuleSet;
  readonly source: RulesVersion["source"];
  readonly note?: string;
  /** Refuse unless this version still counts. */
  readonly ifVersion?: number;
}

export interface CheckCall extends By {
  readonly kind: "check_call";
  readonly check: {
    readonly id: string;
    readonly salt: string;
    readonly tool: string;
    readonly args: JsonObject;
    readonly annotations?: JsonObject;
    readonly session?: string;
    readonly threadId?: string;
    readonly localRules?: string;
    /** JSON Schema of the arguments, for people who approve with changes. */
    readonly argsSchema?: JsonObject;
    /** What the caller's own rules said; the stricter verdict counts. */
    readonly atLeast?: Verdict;
  };
  /** Digests that the caller computed: needs cannot compute any. */
  readonly argsDigest: string;
  readonly callId: string;
  /** The id of the call within its session, if the check names one. */
  readonly sessionCallId?: string;
  /** For the hold, if one is placed. */
  readonly hold: { readonly id: string; readonly salt: string };
  readonly shard: number;
  readonly retainMs: number;
}

/** Calls that ran under the standing permission of an earlier check. */
export interface RecordStanding extends By {
  readonly kind: "record_standing";
  readonly check: {
    readonly id: string;
    readonly salt: string;
    readonly tool: string;
    readonly calls: readonly JsonObject[];
    /** The version of the rules that gave the permission. */
    readonly version: number;
    readonly annotations?: JsonObject;
    readonly session?: string;
    readonly localRules?: string;
  };
  readonly shard: number;
  readonly retainMs: number;
}

export interface DropCheck extends By {
  readonly kind: "drop_check";
  readonly checkId: string;
}

export interface RevokeGrant extends By {
  readonly kind: "revoke_grant";
  readonly grantId: string;
}

export type GatingCommand = PublishRules | CheckCall | RecordStanding | DropCheck | RevokeGrant;
