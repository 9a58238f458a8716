/**
 * Gives entities from a store the body type of their kind. JSON has no types: this is the one place that asserts it,
 * because a store returns under a kind only what was put there under it.
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
