/** Who calls an agent, and what that lets them do. */

import { fail } from "../../faces/http/failure.ts";
import { mayAnswer, onlyReads, type Principal } from "../../kernel/principal.ts";

/** A run of an agent may do anything, under another name than the caller's, so whoever only reads starts none. */
export function refuseReaders(by: Principal): void {
  if (onlyReads(by)) throw fail("not_allowed", "auditors only read");
}

/** The person whose answers are taken; null: this caller's are not (G7). */
export function personOf(by: Principal): { readonly id: string; readonly name: string } | null {
  return mayAnswer(by) ? { id: by.id, name: by.name } : null;
}
