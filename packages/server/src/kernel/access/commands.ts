/** Commands that change keys, sign-in sessions and workspace settings. Secrets arrive hashed. */

import type { Checkpoint, SigningKey } from "../log/checkpoint.ts";
import type { Principal } from "../principal.ts";
import type { ApiKey, NewSession, SignIn, Webhook } from "./access.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface MakeKey extends By {
  readonly kind: "make_key";
  readonly key: Omit<ApiKey, "madeAt" | "madeBy">;
}
export interface RevokeKey extends By {
  readonly kind: "revoke_key";
  readonly keyId: string;
}
export interface RotateKeySecret extends By {
  readonly kind: "rotate_key_secret";
  readonly keyId: string;
  readonly callbackSecret: string;
}
export interface NoteKeyUse extends By {
  readonly kind: "note_key_use";
  readonly keyId: string;
}
export interface MakeSignIn extends By {
  readonly kind: "make_sign_in";
  readonly signIn: Omit<SignIn, "madeAt" | "expiresAt">;
  readonly lastsMs: number;
}
export interface UseSignIn extends By {
  readonly kind: "use_sign_in";
  readonly hash: string;
  readonly session: NewSession;
  readonly lastsMs: number;
}
/** A caller who knows the secret of a session may end it. */
export interface EndSession extends By {
  readonly kind: "end_session";
  readonly hash: string;
}
/** Ends a session from elsewhere: one's own, or an admin anybody's. */
export interface CloseSession extends By {
  readonly kind: "close_session";
  readonly hash: string;
}
/** The timers' command: deletes a session that has expired. */
export interface DropSession extends By {
  readonly kind: "drop_session";
  readonly hash: string;
}
export interface PutWebhook extends By {
  readonly kind: "put_webhook";
  readonly webhook: Omit<Webhook, "madeAt">;
}
export interface RemoveWebhook extends By {
  readonly kind: "remove_webhook";
  readonly webhookId: string;
}
export interface SetRetention extends By {
  readonly kind: "set_retention";
  readonly retainMs: number | null;
}
export interface SetInline extends By {
  readonly kind: "set_inline";
  readonly allowed: boolean;
}
export interface PutSigningKey extends By {
  readonly kind: "put_signing_key";
  readonly key: SigningKey;
}
export interface KeepCheckpoint extends By {
  readonly kind: "keep_checkpoint";
  readonly checkpoint: Checkpoint;
}

export type AccessCommand =
  | MakeKey
  | RevokeKey
  | RotateKeySecret
  | NoteKeyUse
  | MakeSignIn
  | UseSignIn
  | EndSession
  | CloseSession
  | DropSession
  | PutWebhook
  | RemoveWebhook
  | SetRetention
  | SetInline
  | PutSigningKey
  | KeepCheckpoint;
