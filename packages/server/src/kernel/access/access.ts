/**
 * API keys, sign-in sessions and the settings of a workspace. Every secret that the server only compares is
 * stored as its SHA-256 hash.
 */

import type { KeyRole } from "../principal.ts";

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly hash: string;
  /** The last characters of the key, so that its owner can recognise it: `hp_…abcd`. */
  readonly hint: string;
  /**
   * Signs callbacks for holds that this key placed. It is stored in clear, because both sides need the secret itself
   * to compute the signature.
   */
  readonly callbackSecret: string;
  readonly madeAt: number;
  readonly madeBy: string;
  /** The person who is responsible for what an agent asks with this key; absent in rows that earlier versions wrote. */
  readonly owner?: string;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

/** A link that signs one person in to the console, once. */
export interface SignIn {
  readonly hash: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly usedAt?: number;
  /** Made for a person's row: the session has the role that the person has when the link is used. Absent: `role`. */
  readonly isForPerson?: true;
  /** It was sent by e-mail. */
  readonly how?: "email";
}

export interface Session {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly endedAt?: number;
  /** How the person signed in; absent: with a one-time link. */
  readonly how?: "passkey" | "email" | "oidc";
  /** What the browser calls itself, so that people recognise their sessions. */
  readonly device?: string;
  /** Absent: the identity provider was not involved. */
  readonly oidc?: OidcSession;
}

/** What the identity provider said about the sign-in. */
export interface OidcSession {
  /** The name of the provider in the configuration. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** The provider's own session, which it names when it ends it. */
  readonly sid?: string;
  /** When the person proved to the provider who they are. Absent: it did not say. */
  readonly authenticatedAt?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** A new session, as the face made it: its secret is hashed. */
export type NewSession = Pick<Session, "id" | "hash" | "device">;

/**
 * When the person last proved who they are. An identity provider may sign somebody in without asking them anything, so its
 * own word counts there, and not the start of the session.
 */
export function provenAtOf({ madeAt, oidc }: Pick<Session, "madeAt" | "oidc">): number {
  return oidc === undefined ? madeAt : Math.min(oidc.authenticatedAt ?? 0, madeAt);
}

export function oidcSubjectKey({ issuer, subject }: Pick<OidcSession, "issuer" | "subject">): string {
  return `${issuer}\n${subject}`;
}

export function oidcSidKey(issuer: string, sid: string): string {
  return `${issuer}\n${sid}`;
}

/** A registered endpoint for outgoing webhooks. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Event types that the endpoint receives; an empty list means all of them. */
  readonly events: readonly string[];
  /** Newest first. There are several while a secret is being rotated. */
  readonly secrets: readonly string[];
  readonly description?: string;
  readonly madeAt: number;
  readonly disabledAt?: number;
}

export interface ListeningWebhook {
  readonly id: string;
  readonly events: readonly string[];
  /** The outbox lane of its messages; absent in rows that earlier versions wrote. */
  readonly lane?: string;
}

/** Every command loads the settings, and every event of a hold makes a message for each webhook that listens. */
export const WEBHOOKS_MAX = 100;

/** Settings of a workspace, in one small row that every command can load. */
export interface WorkspaceSettings {
  readonly webhooks: readonly ListeningWebhook[];
  /**
   * How long ended holds keep their content when the face that placed them sets no time; absent: the content is never
   * erased.
   */
  readonly retainMs?: number;
  /** The server issues no tokens for inline answers and rejects the ones it issued before. */
  readonly noInline?: true;
}

export const NO_SETTINGS: WorkspaceSettings = { webhooks: [] };
