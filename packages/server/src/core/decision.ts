/** What a command comes to: facts, and a reply. A refusal may bring facts too, such as the expiry it was refused for. */

import type { Kind } from "./entity.ts";
import type { Stated } from "./fact.ts";
import type { Refusal } from "./refusal.ts";

export type Reply =
  /** `fresh: false`: it was so already; nothing was written. */
  | { readonly ok: true; readonly kind: Kind; readonly id: string; readonly fresh: boolean }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Decision {
  readonly facts: readonly Stated[];
  readonly reply: Reply;
}

export function accept(kind: Kind, id: string, facts: readonly Stated[]): Decision {
  return { facts, reply: { ok: true, kind, id, fresh: facts.length > 0 } };
}

export function refuse(refusal: Refusal, facts: readonly Stated[] = []): Decision {
  return { facts, reply: { ok: false, refusal } };
}
