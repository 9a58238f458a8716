/**
 * What a decision writes to. A stated fact changes the draft at once, so the rest of the decision sees it. The engine
 * commits the draft as a whole or not at all.
 */

import type { Failure } from "./failure.ts";
import type { KernelBodies, KernelFact } from "./kernel.ts";
import type { Need, World } from "./world.ts";

/** A fact with the entity it is about, its time, its actor and who may follow it. */
export interface FactRecord<F = KernelFact> {
  readonly kind: string;
  readonly id: string;
  readonly fact: F;
  readonly at: number;
  /** The actor as it is written to the log. */
  readonly actor: string;
  /** The agent that may follow this event in addition to people; absent: people only. */
  readonly audience?: string;
}

export interface Draft<B = KernelBodies, F = KernelFact> extends World<B> {
  state(record: FactRecord<F>): void;
  /**
   * Keeps the facts stated so far even if the command is then refused: they became true by time alone, before the
   * command arrived. Without this call a refusal drops every fact that its command stated.
   */
  keepSoFar(): void;
  /**
   * Whether all these entities were loaded, except those that are only needed if there is room. Facts that became true by time alone
   * may make a command need more.
   */
  hasLoaded(needs: readonly Need[]): boolean;
}

/** The result of a command: the id of the entity it was about, or why it was refused. */
export type Reply =
  /**
   * `fresh: false`: the command changed nothing, even if facts that became true by time were stated. Absent: fresh if
   * any fact was stated.
   */
  | { readonly ok: true; readonly id: string; readonly fresh?: false }
  /** `holdId`: the hold that caused the refusal, for callers who may see it. */
  | { readonly ok: false; readonly failure: Failure; readonly holdId?: string };

/** The engine commits what was kept so far, loads what the command needs after that, and decides it again. */
export const AGAIN = "again";

export function accept(id: string): Reply {
  return { ok: true, id };
}

export function refuse(failure: Failure, holdId?: string): Reply {
  return holdId === undefined ? { ok: false, failure } : { ok: false, failure, holdId };
}
