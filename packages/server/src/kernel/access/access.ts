/** Who gets in: keys, people, sessions, and what a workspace has set. Secrets are kept as SHA-256 only. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { KeyRole } from "../principal.ts";

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly hash: string;
  /** Shown to the owner again as `hp_…abcd`. */
  readonly hint: string;
  /** Signs callbacks for holds that this key placed. A shared secret cannot be hashed: both sides compute with it. */
  readonly callbackSecret: string;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

/** One-time link into the console. */
export interface SignIn {
  readonly hash: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly usedAt?: number;
}

export interface Session {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly endedAt?: number;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: KeyRole;
  readonly email?: string;
  readonly addresses?: JsonObject;
  readonly madeAt: number;
  /** A stub without name and addresses stays, so that whoever comes back goes on in the same log. */
  readonly removedAt?: number;
}

/** A registered endpoint for outgoing webhooks. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Event types; empty means all. */
  readonly events: readonly string[];
  /** Newest first; several while rotating. */
  readonly secrets: readonly string[];
  readonly description?: string;
  readonly madeAt: number;
  readonly disabledAt?: number;
}

export interface ListeningWebhook {
  readonly id: string;
  readonly events: readonly string[];
  /** The lane its messages wait in; absent in what earlier versions wrote. */
  readonly lane?: string;
}

/** What every command of a workspace may look at; one small row. */
export interface WorkspaceSettings {
  readonly webhooks: readonly ListeningWebhook[];
  /** For holds whose face sets none; absent: kept. */
  readonly retainMs?: number;
  /** No tokens for inline answers are handed out, and none given before are taken. */
  readonly noInline?: true;
}

export const NO_SETTINGS: WorkspaceSettings = { webhooks: [] };
