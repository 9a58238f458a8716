/**
 * What a command sees: the entities its `needs` named, as they stand after everything decided before it in its batch.
 * `B` says which body each kind has. The kernel knows its own kinds only; a domain adds its own to them.
 */

import type { Attachments } from "./attachment.ts";
import type { KernelBodies } from "./kernel.ts";

export interface World<B = KernelBodies> {
  get<K extends keyof B & string>(kind: K, id: string): B[K] | undefined;
  /** Version of an entity, 0 when there is none. */
  version(kind: keyof B & string, id: string): number;
  /** Which domains attach to holds. */
  readonly attachments: Attachments;
}

export interface Need {
  readonly kind: string;
  readonly id: string;
  /** Only read, not changed: the store takes no lock for it. */
  readonly read?: true;
}

/** One entity's next body; `null` deletes it. */
export type Change<B = KernelBodies> = {
  [K in keyof B & string]: { readonly kind: K; readonly id: string; readonly body: B[K] | null };
}[keyof B & string];
