/** Sign-in links to the console: for one person, valid once and for a limited time. */

import type { Engine } from "../engine/engine.ts";
import type { NewSession } from "../kernel/access/access.ts";
import type { Failure } from "../kernel/failure.ts";
import type { KeyRole, Principal } from "../kernel/principal.ts";
import { tokenHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";

/** How long a one-time link can be used. */
const LINK_MS = 12 * 3_600_000;
/** How long a session lasts. */
export const SESSION_MS = 12 * 3_600_000;
const DEVICE_LENGTH_MAX = 200;
/** What the id of every session begins with. */
const SESSION_ID = "session_";

/** Whether this is the id of a session, and not that of a key. */
export function isSessionId(id: string): boolean {
  return id.startsWith(SESSION_ID);
}

/** A session as the kernel gets it, and the secret that only the browser keeps. */
export function newSession(
  ids: Ids,
  now: number,
  device: string | undefined,
): { readonly secret: string; readonly session: NewSession } {
  const secret = ids.token();
  const words = device
    ?.replaceAll(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, DEVICE_LENGTH_MAX);
  const session = { id: `${SESSION_ID}${ids.next(now)}`, hash: tokenHash(secret) };
  return { secret, session: { ...session, ...(words === undefined ? {} : { device: words }) } };
}

export interface SignInFor {
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
  readonly role: KeyRole;
  readonly lastsMs?: number;
  /** The link is for a person's row, and has the role that the person has when it is used. */
  readonly isForPerson?: true;
  readonly how?: "email";
}

export type MadeSignIn =
  | { readonly ok: true; readonly token: string; readonly expiresAt: number }
  | { readonly ok: false; readonly failure: Failure };

export async function newSignIn(
  engine: Engine,
  ids: Ids,
  { workspace, by, lastsMs = LINK_MS, ...rest }: SignInFor,
): Promise<MadeSignIn> {
  const token = ids.token();
  const signIn = { hash: tokenHash(token), ...rest };
  const result = await engine.run({ kind: "make_sign_in", workspace, by, signIn, lastsMs });
  if (!result.ok) return result;
  return { ok: true, token, expiresAt: result.entity.body.expiresAt };
}
