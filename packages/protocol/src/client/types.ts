/**
 * A hold and what belongs to it, as programs see them: the wire's members in camelCase, times as RFC 3339 text so that
 * everything here can be written to a journal and read back. `casing.ts` turns one into the other, and a type test holds the
 * two together.
 */

import type { Action, AskType, Form, JsonObject, Option, SelectRange, Uses } from "../rules/index.ts";
import type { GrantGiven } from "./check-client.ts";

/**
 * What a caller hands in where a JSON object is wanted: objects typed by an `interface` and class instances pass, which have no index
 * signature; lists and functions do not. JSON.stringify decides the rest.
 */
export type OpenIn =
  | Readonly<Record<string, unknown>>
  | (object & { readonly [Symbol.iterator]?: never; readonly [Symbol.hasInstance]?: never });

export type HoldStatus = "open" | "decided" | "expired" | "cancelled";

export type Rung =
  | { readonly after: string; readonly channel?: string; readonly to?: string }
  | { readonly at: string; readonly channel?: string; readonly to?: string };

export interface Default {
  readonly action?: string;
  readonly data?: JsonObject;
}

/** How a vote is proven, the weakest first. */
export type Strength = "link" | "account" | "session" | "passkey";

/** Who must agree before a hold is decided. */
export interface DecisionRule {
  /** `from` names `team:<id>` or `person:<id>`. A person fills one seat in the whole rule. */
  readonly approve: readonly { readonly need: number; readonly from: readonly string[] }[];
  /** How many rejections settle the hold; 1 when absent. */
  readonly reject?: number;
  readonly exclude?: readonly ("asker" | "owner" | "previous_voters")[];
  /** `session` when absent. */
  readonly strength?: Strength;
  /** `listed`: a stage is asked only when the stages before it are met. */
  readonly order?: "any" | "listed";
  /** How many seconds ago a voter may have proven who they are. */
  readonly maxAge?: number;
}

/** A decision rule as it was frozen on a hold. */
export type FrozenDecision = Required<Omit<DecisionRule, "maxAge">> & Pick<DecisionRule, "maxAge">;

/** One person's answer that counts towards a decision rule. */
export interface Vote {
  readonly person: string;
  /** The absent person whose seat it fills. */
  readonly for?: string;
  readonly action: string;
  readonly at: string;
  readonly door: string;
  readonly strength: Strength;
  /** The name of the person, and that of the absent one; absent for agents. */
  readonly names?: readonly string[];
}

/** A stage of a decision rule that still needs votes. */
export interface Missing {
  readonly need: number;
  readonly given: number;
  readonly from: readonly string[];
  /** The names of those in `from`; absent for agents. */
  readonly names?: readonly string[];
}

/** What an agent asks, and how long and of whom. */
export interface Place {
  /** Crash, retry, redeploy: the same key finds the same hold. */
  readonly key?: string;
  readonly type: AskType;
  readonly prompt: string;
  readonly context?: OpenIn;
  readonly options?: readonly Option[];
  readonly select?: SelectRange;
  readonly form?: Form;
  /** JSON Schema 2020-12: of `data` for input and `x-*`, of `data.edited_args` for approval. */
  readonly responseSchema?: OpenIn;
  readonly actions?: readonly Action[];
  /** How often what is approved may be claimed, one after another; once when absent. */
  readonly uses?: Uses;
  /** `30m`, `2h`, `7d` or ISO 8601. Neither `timeout` nor `until`: it never expires. */
  readonly timeout?: string;
  readonly until?: string;
  /** Reported as `default` when nobody answers; never as a decision. */
  readonly onTimeout?: string | { readonly action?: string; readonly data?: OpenIn };
  readonly ladder?: readonly Rung[];
  /** Moments, or durations from placing. */
  readonly remindAt?: readonly string[];
  /** Names of the only people who may answer. */
  readonly answerers?: readonly string[];
  /** Who must agree; absent: one answer decides. */
  readonly decision?: DecisionRule;
  /** Sensitive values of the answer are kept, and `{ withheld: true }` in every result. */
  readonly withholdSensitive?: boolean;
  /** Who is given review links; the operator's `agent_links` may withhold them from agents. */
  readonly links?: "agent" | "server";
  /** A case of a HITL service, whose protocol hands the review link to the agent. */
  readonly hitlCase?: boolean;
  /** The hold that this one follows up, as after "request changes". */
  readonly previous?: string;
  /** A settled hold under the same key: opens the next one. */
  readonly after?: string;
  readonly callbackUrl?: string;
  readonly intentId?: string;
  readonly threadId?: string;
  readonly metadata?: OpenIn;
}

export interface Actor {
  readonly kind: "key" | "session" | "link" | "channel" | "app" | "grant" | "policy" | "system";
  readonly id: string;
  readonly name?: string;
  /** What the client said about them; nobody has checked it. */
  readonly claimed?: JsonObject;
  /** It came by a link that was made by or handed to the asker: no person is known to have used it. */
  readonly givenTo?: "asker";
}

/** All kinds but `grant` stand for a person: a grant was given in advance, and nobody looked at this call. */
export interface Decider extends Actor {
  readonly kind: "key" | "session" | "link" | "channel" | "app" | "grant";
}

export interface Decided<Data = JsonObject, ActionId extends string = string> {
  readonly kind: "decided";
  readonly action: ActionId;
  readonly data: Data;
  readonly by: Decider;
  /** The way the answer came in. */
  readonly door: string;
  readonly shown?: string;
  /** The grant that this answer made. */
  readonly grantId?: string;
  /** What was verified about the evidence that came with the answer, in the words of the HITL Protocol. */
  readonly verification?: JsonObject;
  readonly at: string;
}

/** Nobody answered in time. What `onTimeout` said is here for the agent to do; nobody decided it. */
export interface Expired {
  readonly kind: "expired";
  readonly default?: Default;
  readonly reason?: string;
  readonly at: string;
}

/** The question was withdrawn. The caller that withdrew it decided nothing. */
export interface Cancelled {
  readonly kind: "cancelled";
  readonly cancelledBy: Actor;
  readonly reason?: string;
  readonly at: string;
}

export type Outcome<Data = JsonObject, ActionId extends string = string> =
  | Decided<Data, ActionId>
  | Expired
  | Cancelled;

export interface RungState {
  readonly at: string;
  readonly kind: "attempt" | "reminder";
  readonly n: number;
  readonly channel?: string;
  readonly to?: string;
  readonly state: "waiting" | "fired" | "missed" | "skipped";
}

export interface Progress {
  readonly currentStep: number;
  readonly totalSteps: number;
  readonly completedFields: number;
  readonly totalFields: number;
}

export interface Claim {
  readonly id: string;
  readonly holdId: string;
  /** `unknown`: the host was never heard of again; a person releases it. */
  readonly state: "claimed" | "done" | "failed" | "unknown";
  readonly claimedBy: string;
  readonly claimedAt: string;
  readonly until: string;
  readonly endedAt?: string;
  readonly detail?: JsonObject;
}

/** What somebody wrote about an open hold. The asker gets what was asked back and its own replies. */
export interface HoldComment {
  readonly id: string;
  readonly at: string;
  readonly by: Actor;
  readonly text: string;
  /** A question to the agent or app that asked. */
  readonly asksBack?: boolean;
  readonly byAsker?: boolean;
}

export interface Revoked {
  readonly at: string;
  readonly by: Actor;
}

/**
 * One pause of one piece of agent work, as it was when it was read.
 *
 * @example
 * ```ts
 * import { type Hold, Holdpoint } from "@holdpoint/sdk";
 *
 * const hold: Hold = await new Holdpoint().get("hold_1");
 * console.error(hold.prompt, hold.status, hold.expiresAt);
 * ```
 */
export interface Hold {
  readonly id: string;
  readonly caseId: string;
  readonly key?: string;
  readonly status: HoldStatus;
  readonly type: AskType;
  /** Empty once the hold's content has been erased. */
  readonly prompt: string;
  readonly context?: JsonObject;
  readonly options?: readonly Option[];
  readonly form?: Form;
  readonly responseSchema?: JsonObject;
  readonly actions: readonly (Action & { readonly label: string })[];
  readonly select?: SelectRange;
  readonly uses?: Uses;
  readonly digest: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly openedAt?: string;
  readonly progressedAt?: string;
  readonly progress?: Progress;
  readonly remindedAt?: string;
  /** When the console last told people of it. */
  readonly notifiedAt?: string;
  readonly expiresAt?: string;
  readonly onTimeout?: Default;
  readonly attempt: number;
  readonly ladder: readonly RungState[];
  readonly answerers?: readonly string[];
  /** Who must agree, as it was frozen when the hold was placed. */
  readonly decision?: FrozenDecision;
  /** The votes so far; only with a `decision`. */
  readonly votes?: readonly Vote[];
  /** The stages that still need votes; only on an open hold with a `decision`. */
  readonly missing?: readonly Missing[];
  /** Why nobody can meet the `decision` any more, since people or teams have changed. */
  readonly unfulfillable?: string;
  /** Every delivery to people has failed so far: nobody has been reached. */
  readonly nobodyReachedSince?: string;
  /** Sensitive values of the answer are kept, and `{ withheld: true }` in every result. */
  readonly withholdSensitive?: boolean;
  readonly version: number;
  readonly links: "agent" | "server";
  readonly previous?: string;
  readonly next?: string;
  readonly callbackUrl?: string;
  readonly intentId?: string;
  readonly threadId?: string;
  readonly groupId?: string;
  readonly metadata?: JsonObject;
  /** Only on holds that a check placed: whether an approval may allow similar calls in advance. */
  readonly grantable?: boolean;
  /** The person who takes care of it. */
  readonly assignee?: string;
  readonly comments?: readonly HoldComment[];
  /** Who does not want to see it before when; only for people. */
  readonly snoozed?: readonly { readonly person: string; readonly until: string }[];
  readonly claim?: Claim;
  /** How often it has been claimed; released claims do not count. */
  readonly claims?: number;
  /** The approval was taken back: nobody can claim it any more. */
  readonly revoked?: Revoked;
  readonly outcome?: Outcome;
  readonly erasedAt?: string;
  /** Only in the reply to placing, when `links` is `agent`. */
  readonly reviewUrl?: string;
}

export interface HoldPage {
  readonly holds: readonly Hold[];
  readonly nextCursor?: string;
}

export interface HoldQuery {
  readonly status?: HoldStatus;
  /** Words that occur in prompt, context or key. */
  readonly q?: string;
  readonly createdBy?: string;
  readonly key?: string;
  readonly threadId?: string;
  readonly intentId?: string;
  readonly groupId?: string;
  readonly tool?: string;
  readonly type?: string;
  /** A person's id; `none`: holds of nobody. */
  readonly assignee?: string;
  readonly unseen?: "true";
  /** RFC 3339; only open holds. */
  readonly expiresBy?: string;
  readonly action?: string;
  readonly decidedBy?: string;
  readonly door?: string;
  readonly settledFrom?: string;
  readonly settledBefore?: string;
  /** `urgency` and `oldest` sort open holds. */
  readonly sort?: "newest" | "oldest" | "urgency";
  readonly cursor?: string;
  readonly limit?: number;
}

export interface ClaimedName {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string;
}

export interface AnswerGiven {
  readonly action: string;
  readonly data?: OpenIn;
  /** Digest of the ask the person saw; a mismatch is refused. */
  readonly shown?: string;
  readonly claimed?: ClaimedName;
  /** Similar calls to allow in advance; only on holds that a check placed. */
  readonly grant?: GrantGiven;
}

export interface CancelGiven {
  readonly reason?: string;
  readonly claimed?: ClaimedName;
}

export interface ClaimGiven {
  readonly digest: string;
  /** How long the execution may take before nobody knows whether it ran. */
  readonly lease?: string;
}

export interface ClaimResult {
  readonly ok: boolean;
  readonly detail?: OpenIn;
}

export interface HoldEvent {
  readonly position: number;
  readonly stream: string;
  readonly holdId?: string;
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  readonly data: JsonObject;
  readonly previous: string;
  readonly hash: string;
}

export interface GroupPlace {
  readonly holds: readonly Place[];
  readonly threadId?: string;
  readonly runId?: string;
}

export interface Group {
  readonly id: string;
  readonly status: "open" | "released";
  readonly createdBy: string;
  readonly threadId?: string;
  readonly runId?: string;
  readonly holds: readonly Hold[];
  readonly createdAt: string;
  readonly releasedAt?: string;
}

export type GroupEntry =
  | ({ readonly kind: "answer"; readonly holdId: string } & AnswerGiven)
  | ({ readonly kind: "cancel"; readonly holdId: string } & CancelGiven);

export interface SkipGiven {
  /** What went on without a person, such as `POST /orders`. It stays in the log for good: no personal data. */
  readonly what: string;
  /** Who chose so, if the caller speaks for somebody else. */
  readonly agent?: string;
}

export interface Skip extends SkipGiven {
  readonly id: string;
  readonly recordedBy: string;
  readonly recordedAt: string;
}

export interface LinkGiven {
  readonly to?: string;
  readonly channel?: string;
  readonly purpose?: "review" | "submit";
  readonly actions?: readonly string[];
}

export interface Link {
  readonly id: string;
  readonly holdId: string;
  readonly purpose: "review" | "submit" | "read";
  readonly actions?: readonly string[];
  readonly to?: string;
  /** Made by or handed to the asker: an answer by it names no person. */
  readonly givenTo?: "asker";
  readonly channel?: string;
  readonly attempt?: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly revokedAt?: string;
  readonly url?: string;
  readonly token?: string;
}
