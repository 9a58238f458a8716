/** Sign-in links to the console: for one person, valid once and for a limited time. */

import type { Engine } from "../engine/engine.ts";
import type { Failure } from "../kernel/failure.ts";
import type { KeyRole, Principal } from "../kernel/principal.ts";
import { tokenHash } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";

const LASTS_MS = 12 * 3_600_000;

export interface SignInFor {
  readonly workspace: string;
  readonly by: Principal;
  readonly name: string;
  readonly role: KeyRole;
}

export type MadeSignIn =
  | { readonly ok: true; readonly token: string; readonly expiresAt: number }
  | { readonly ok: false; readonly failure: Failure };

export async function newSignIn(
  engine: Engine,
  ids: Ids,
  { workspace, by, name, role }: SignInFor,
): Promise<MadeSignIn> {
  const token = ids.token();
  const signIn = { hash: tokenHash(token), name, role };
  const result = await engine.run({ kind: "make_sign_in", workspace, by, signIn, lastsMs: LASTS_MS });
  if (!result.ok) return result;
  return { ok: true, token, expiresAt: result.entity.body.expiresAt };
}
