/** The batch's world: what was loaded, with everything decided so far laid over it. Kept per command until it is whole. */

import { ByName } from "../core/by-name.ts";
import type { Body, Entity, EntityKey, Kind } from "../core/entity.ts";
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
  /** Something was decided about it. */
  readonly isChanged: boolean;
}

export class Overlay {
  readonly #workspaces = new Map<string, ByName<Row>>();

  has({ workspace, kind, id }: EntityKey): boolean {
    return this.#rows(workspace).get(kind, id) !== undefined;
  }

  /** What a load found; keys it did not find exist as absent from now on. */
  fill(wanted: readonly EntityKey[], found: readonly Entity[]): void {
    for (const { workspace, kind, id } of wanted) {
      this.#rows(workspace).set(kind, id, absent({ workspace, kind, id }));
    }
    for (const { workspace, kind, id, version, seq, head, body } of found) {
      const key = { workspace, kind, id };
      const row = { key, stored: version, version, seq, head, body, isChanged: false };
      this.#rows(workspace).set(kind, id, row);
    }
  }

  entity(key: EntityKey): Entity | undefined {
    const row = this.#rows(key.workspace).get(key.kind, key.id);
    if (row === undefined || row.body === null) return undefined;
    return { ...key, version: row.version, seq: row.seq, head: row.head, body: row.body };
  }

  puts(): readonly Put[] {
    const puts: Put[] = [];
    for (const rows of this.#workspaces.values()) {
      rows.forEach(({ key, stored, version, seq, head, body, isChanged }) => {
        if (isChanged) puts.push({ key, expected: stored, version, seq, head, body });
      });
    }
    return puts;
  }

  /** What there is now of all that was changed. */
  changed(): readonly Entity[] {
    const entities: Entity[] = [];
    for (const { key, version, seq, head, body } of this.puts()) {
      if (body !== null) entities.push({ ...key, version, seq, head, body });
    }
    return entities;
  }

  /** One command's view, and its changes until `keep`. A command that throws simply never keeps. */
  draft(workspace: string): Draft {
    return new Draft(workspace, this.#rows(workspace));
  }

  look(workspace: string): Look {
    return new Look(this.#rows(workspace));
  }

  #rows(workspace: string): ByName<Row> {
    const known = this.#workspaces.get(workspace);
    if (known !== undefined) return known;
    const rows = new ByName<Row>();
    this.#workspaces.set(workspace, rows);
    return rows;
  }
}

/** For a command to say what it needs. It remembers what was looked at to say so. */
export class Look implements World {
  readonly #rows: ByName<Row>;
  readonly #seen: (Row | undefined)[] = [];

  constructor(rows: ByName<Row>) {
    this.#rows = rows;
  }

  get<K extends Kind & keyof Bodies>(kind: K, id: string): Bodies[K] | undefined {
    return (this.#row(kind, id)?.body ?? undefined) as Bodies[K] | undefined;
  }

  version(kind: Kind, id: string): number {
    return this.#row(kind, id)?.version ?? 0;
  }

  /** Whether another look would see the same. What was not there to be seen may be by now. */
  get isCurrent(): boolean {
    return this.#seen.every((row) => row !== undefined && this.#rows.get(row.key.kind, row.key.id) === row);
  }

  #row(kind: Kind, id: string): Row | undefined {
    const row = this.#rows.get(kind, id);
    this.#seen.push(row);
    return row;
  }
}

export class Draft implements World {
  readonly #workspace: string;
  readonly #rows: ByName<Row>;
  /** `null`: nothing yet, as with everyone who only looks. */
  #changed: ByName<Row> | null = null;

  constructor(workspace: string, rows: ByName<Row>) {
    this.#workspace = workspace;
    this.#rows = rows;
  }

  get<K extends Kind & keyof Bodies>(kind: K, id: string): Bodies[K] | undefined {
    return (this.#row(kind, id)?.body ?? undefined) as Bodies[K] | undefined;
  }

  version(kind: Kind, id: string): number {
    return this.#row(kind, id)?.version ?? 0;
  }

  /** Last event of an entity's own log. */
  head(kind: Kind, id: string): { readonly seq: number; readonly head: string } {
    return this.#row(kind, id) ?? { seq: 0, head: "" };
  }

  apply({ kind, id, body }: Change): void {
    this.#change(kind, id, { body: body as Body | null });
  }

  append(kind: Kind, id: string, seq: number, head: string): void {
    this.#change(kind, id, { seq, head });
  }

  keep(): void {
    this.#changed?.forEach((row) => {
      this.#rows.set(row.key.kind, row.key.id, row);
    });
  }

  #change(kind: Kind, id: string, part: Partial<Row>): void {
    this.#changed ??= new ByName();
    const before = this.#changed.get(kind, id);
    if (before !== undefined) {
      this.#changed.set(kind, id, { ...before, ...part });
      return;
    }
    const stored = this.#rows.get(kind, id) ?? absent({ workspace: this.#workspace, kind, id });
    // A version is one command's worth of change, however many facts it took.
    this.#changed.set(kind, id, { ...stored, version: stored.version + 1, ...part, isChanged: true });
  }

  #row(kind: Kind, id: string): Row | undefined {
    return this.#changed?.get(kind, id) ?? this.#rows.get(kind, id);
  }
}

function absent(key: EntityKey): Row {
  return { key, stored: 0, version: 0, seq: 0, head: "", body: null, isChanged: false };
}
