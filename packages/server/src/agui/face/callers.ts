/** What callers of an agent may do. */

import { fail } from "../../faces/http/failure.ts";
import { mayAnswer, onlyReads, type Principal } from "../../kernel/principal.ts";

/** A run may change things under another name than the caller's, so auditors cannot start one. */
export function refuseReaders(by: Principal): void {
  if (onlyReads(by)) throw fail("not_allowed", "auditors only read");
}

/** The person who answers through this caller; null if the caller may not answer (G7). */
export function personOf(by: Principal): { readonly id: string; readonly name: string } | null {
  return mayAnswer(by) ? { id: by.id, name: by.name } : null;
}
