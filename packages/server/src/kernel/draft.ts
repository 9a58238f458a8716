/**
 * What a decision writes on. Stating a fact lays it over the draft at once, so the rest of the decision sees it; the engine
 * commits the draft as a whole or not at all.
 */

import type { Failure } from "./failure.ts";
import type { KernelBodies, KernelFact } from "./kernel.ts";
import type { Need, World } from "./world.ts";

/** A fact with its frame: about which entity, when, by whom, and who may follow it. */
export interface FactRecord<F = KernelFact> {
  readonly kind: string;
  readonly id: string;
  readonly fact: F;
  readonly at: number;
  /** Who acted, as the log names them. */
  readonly actor: string;
  /** The agent that may follow this event besides people; absent: people only. */
  readonly audience?: string;
}

export interface Draft<B = KernelBodies, F = KernelFact> extends World<B> {
  state(record: FactRecord<F>): void;
  /**
   * What was stated so far stays even if the command is refused: the clock had decided it before anybody asked. Without
   * this, a refusal drops everything that its command stated.
   */
  keepSoFar(): void;
  /** Whether everything that is needed was loaded: what the clock decided may have made a command need more. */
  hasLoaded(needs: readonly Need[]): boolean;
}

/** What became of a command: the id of the entity it was about, or why it was refused. */
export type Reply =
  /** `fresh: false`: it was so already, whatever was stated besides. Absent: fresh if anything was stated. */
  | { readonly ok: true; readonly id: string; readonly fresh?: false }
  /** `holdId`: the hold that stood in the way, for callers who may see it. */
  | { readonly ok: false; readonly failure: Failure; readonly holdId?: string };

/** What was kept so far is committed, and the command is decided again with what it needs after that. */
export const AGAIN = "again";

export function accept(id: string): Reply {
  return { ok: true, id };
}

export function refuse(failure: Failure, holdId?: string): Reply {
  return holdId === undefined ? { ok: false, failure } : { ok: false, failure, holdId };
}
