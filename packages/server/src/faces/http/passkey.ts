/** A challenge for a passkey, as the API and the pages send it. */

import type { Asked } from "../../identity/passkey-port.ts";
import type { Failure } from "../../kernel/failure.ts";
import { HttpFailure } from "./failure.ts";
import { time } from "./present.ts";

export function presentAsked(asked: Asked | Failure) {
  if ("code" in asked) throw new HttpFailure(asked);
  return { id: asked.id, public_key: asked.publicKey, expires_at: time(asked.expiresAt) };
}
