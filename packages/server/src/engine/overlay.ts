/** The batch's world: what was loaded, with everything decided so far laid over it. Kept per command until it is whole. */

import type { Body, Entity, EntityKey, Kind } from "../core/entity.ts";
import { keyText } from "../core/entity.ts";
import type { Bodies, Change, World } from "../core/world.ts";
import type { Put } from "../store/port.ts";

interface Row {
  readonly key: EntityKey;
  /** As loaded; 0 when it did not exist. */
  readonly stored: number;
  readonly version: number;
  readonly seq: number;
  readonly head: string;
  readonly body: Body | null;
}

export class Overlay {
  readonly #rows = new Map<string, Row>();
  readonly #dirty = new Set<string>();

  has(key: EntityKey): boolean {
    return this.#rows.has(keyText(key));
  }

  /** What a load found; keys it did not find exist as absent from now on. */
  fill(wanted: readonly EntityKey[], found: readonly Entity[]): void {
    for (const { workspace, kind, id } of wanted) {
      const key = { workspace, kind, id };
      this.#rows.set(keyText(key), { key, stored: 0, version: 0, seq: 0, head: "", body: null });
    }
    for (const { workspace, kind, id, version, seq, head, body } of found) {
      const key = { workspace, kind, id };
      this.#rows.set(keyText(key), { key, stored: version, version, seq, head, body });
    }
  }

  entity(key: EntityKey): Entity | undefined {
    const row = this.#rows.get(keyText(key));
    if (row === undefined || row.body === null) return undefined;
    return { ...key, version: row.version, seq: row.seq, head: row.head, body: row.body };
  }

  puts(): readonly Put[] {
    return [...this.#dirty].map((text) => {
      const { key, stored, version, seq, head, body } = this.#rows.get(text) as Row;
      return { key, expected: stored, version, seq, head, body };
    });
  }

  /** One command's view, and its changes until `keep`. A command that throws simply never keeps. */
  draft(workspace: string): Draft {
    return new Draft(workspace, this.#rows, this.#dirty);
  }
}

export class Draft implements World {
  readonly #workspace: string;
  readonly #rows: Map<string, Row>;
  readonly #dirty: Set<string>;
  readonly #changed = new Map<string, Row>();

  constructor(workspace: string, rows: Map<string, Row>, dirty: Set<string>) {
    this.#workspace = workspace;
    this.#rows = rows;
    this.#dirty = dirty;
  }

  get<K extends Kind & keyof Bodies>(kind: K, id: string): Bodies[K] | undefined {
    return (this.#row(this.#key(kind, id))?.body ?? undefined) as Bodies[K] | undefined;
  }

  version(kind: Kind, id: string): number {
    return this.#row(this.#key(kind, id))?.version ?? 0;
  }

  /** Last event of an entity's own log. */
  head(kind: Kind, id: string): { readonly seq: number; readonly head: string } {
    return this.#row(this.#key(kind, id)) ?? { seq: 0, head: "" };
  }

  apply(change: Change): void {
    const key = this.#key(change.kind, change.id);
    this.#change(key, { body: change.body as Body | null });
  }

  append(kind: Kind, id: string, seq: number, head: string): void {
    this.#change(this.#key(kind, id), { seq, head });
  }

  keep(): void {
    for (const [text, row] of this.#changed) {
      this.#rows.set(text, row);
      this.#dirty.add(text);
    }
  }

  #change(key: EntityKey, part: Partial<Row>): void {
    const text = keyText(key);
    const before = this.#changed.get(text);
    if (before !== undefined) {
      this.#changed.set(text, { ...before, ...part });
      return;
    }
    const stored = this.#rows.get(text) ?? { key, stored: 0, version: 0, seq: 0, head: "", body: null };
    // A version is one command's worth of change, however many facts it took.
    this.#changed.set(text, { ...stored, version: stored.version + 1, ...part });
  }

  #key(kind: Kind, id: string): EntityKey {
    return { workspace: this.#workspace, kind, id };
  }

  #row(key: EntityKey): Row | undefined {
    const text = keyText(key);
    return this.#changed.get(text) ?? this.#rows.get(text);
  }
}
