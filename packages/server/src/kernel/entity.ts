/** All stored state is entities: a body under (workspace, kind, id), with a version and, if it has a log, a head. */

/** An entity's content. Its fields depend on the kind. */
export type Body = object;

export interface EntityKey<K extends string = string> {
  readonly workspace: string;
  readonly kind: K;
  readonly id: string;
}

export interface Entity<B = Body, K extends string = string> extends EntityKey<K> {
  readonly version: number;
  /** Number and hash of the last event in the entity's own log; 0 and "" if it has no events. */
  readonly seq: number;
  readonly head: string;
  readonly body: B;
}

export function keyText(key: EntityKey): string {
  return `${key.workspace}\u0000${key.kind}\u0000${key.id}`;
}

/**
 * An index value is a string or absent. Entities with the same value are ordered by id, and ids increase with time.
 */
export type IndexValues = Readonly<Record<string, string | undefined>>;
