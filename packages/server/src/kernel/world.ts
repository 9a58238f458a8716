/**
 * The entities that a command's `needs` named, including the changes of earlier commands in the same batch. `B` maps
 * each kind to its body. The kernel knows its own kinds only; a domain adds its own.
 */

import type { Attachments } from "./attachment.ts";
import type { KernelBodies } from "./kernel.ts";

export interface World<B = KernelBodies> {
  get<K extends keyof B & string>(kind: K, id: string): B[K] | undefined;
  /** The entity's version, 0 if it does not exist. */
  version(kind: keyof B & string, id: string): number;
  /** The rules of the domains that attach to holds. */
  readonly attachments: Attachments;
}

export interface Need {
  readonly kind: string;
  readonly id: string;
  /** Read but not changed: the store takes no lock for it. */
  readonly read?: true;
  /**
   * Left out where the batch has no room for another long row (G13). The command then goes on without it, and changes it in a later
   * commit; `draft.hasLoaded` says what was left out.
   */
  readonly ifRoom?: true;
}

/** One entity's new body; `null` deletes it. */
export type Change<B = KernelBodies> = {
  [K in keyof B & string]: { readonly kind: K; readonly id: string; readonly body: B[K] | null };
}[keyof B & string];
