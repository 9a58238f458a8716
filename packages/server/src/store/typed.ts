/**
 * What a store reads back under a kind is what was put there under it. JSON cannot say so itself; this is the one place
 * where it is said.
 */

import type { EntityOf } from "../domains.ts";
import type { Entity } from "../kernel/entity.ts";

export function typed<K extends string>(found: readonly Entity[]): readonly EntityOf<K>[];
export function typed(found: readonly Entity[]): readonly Entity[] {
  return found;
}

export function typedOne<K extends string>(found: Entity | undefined): EntityOf<K> | undefined {
  return found === undefined ? undefined : typed<K>([found])[0];
}
