/**
 * A decision rule says who must agree before a hold is decided. It is frozen on the hold when the hold is placed. A vote is
 * one person's answer that counts towards it.
 */

import { type Ask, isGranting, type JsonObject } from "@holdpoint/protocol/rules";
import type { By, Door } from "../hold/hold.ts";
import type { Assertion } from "../passkey/passkey.ts";

/** How a vote was proven, the weakest first. */
export const STRENGTHS = ["link", "account", "session", "passkey"] as const;
export type Strength = (typeof STRENGTHS)[number];

export const EXCLUSIONS = ["asker", "owner", "previous_voters"] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

export interface Stage {
  readonly need: number;
  /** `team:<id>` or `person:<id>`. */
  readonly from: readonly string[];
}

export interface DecisionIn {
  readonly approve: readonly Stage[];
  readonly reject?: number;
  readonly exclude?: readonly Exclusion[];
  readonly strength?: Strength;
  readonly order?: "any" | "listed";
  /** How many seconds ago a voter may have proven who they are; absent: it does not matter. */
  readonly max_age?: number;
}

export interface Decision extends Required<Omit<DecisionIn, "max_age">>, Pick<DecisionIn, "max_age"> {
  /** The people whom `exclude` meant when the hold was placed. */
  readonly excluded: readonly string[];
}

/** The voter may fill a seat of these stages in the name of this person: themselves, or somebody absent. */
export interface Seat {
  readonly person: string;
  readonly stages: readonly number[];
}

/** A passkey's signature over exactly this decision. A face has checked the signature before it sent the command. */
export interface Proof extends Assertion {
  readonly kind: "passkey";
  /** Authenticator data, client data, signature and public key, so that anybody can check it again. */
  readonly evidence: JsonObject;
}

export interface Vote {
  readonly person: string;
  readonly action: string;
  readonly data: JsonObject;
  /** Digest of what must be equal for votes to add up: the data without remarks. */
  readonly answer: string;
  /** Digest of the ask that was voted on (G12). */
  readonly ask: string;
  readonly at: number;
  readonly door: Door;
  readonly strength: Strength;
  readonly by: By;
  /** What the person was entitled to when they voted. Later changes of teams do not take the vote away. */
  readonly seats: readonly Seat[];
  readonly proof?: Proof;
}

export function isStrongEnough(have: Strength, need: Strength): boolean {
  return STRENGTHS.indexOf(have) >= STRENGTHS.indexOf(need);
}

/** Whether the action counts towards `approve`; every other action counts towards `reject`. */
export function isAffirmative(ask: Pick<Ask, "type">, action: string): boolean {
  return action === "skip" || isGranting(ask, action);
}

/** Remarks that go with an answer without changing what is approved. */
const REMARKS: ReadonlySet<string> = new Set(["note", "feedback", "comment", "reason"]);

/** What must be equal for two answers to add up. In a form every value is part of the answer. */
export function withoutRemarks({ type }: Pick<Ask, "type">, data: JsonObject): JsonObject {
  if (type === "input" || type.startsWith("x-")) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !REMARKS.has(name)));
}

export function readSource(source: string): { readonly kind: "team" | "person"; readonly id: string } {
  const isTeam = source.startsWith("team:");
  return { kind: isTeam ? "team" : "person", id: source.slice(isTeam ? "team:".length : "person:".length) };
}
