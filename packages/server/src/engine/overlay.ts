/**
 * The state of a batch: the loaded rows, with the changes of all commands decided so far. A command's changes are
 * added only when it commits.
 */

import { ByName } from "../kernel/by-name.ts";
import type { Body, Entity, EntityKey } from "../kernel/entity.ts";
import type { AnyWorld, Table } from "../kernel/table.ts";
import type { Put } from "../store/port.ts";
import { CommandDraft, type DraftTools } from "./draft.ts";
import { absentRow, type Row } from "./row.ts";

export class Overlay {
  readonly #workspaces = new Map<string, ByName<Row>>();
  readonly #tools: DraftTools;

  constructor(tools: DraftTools) {
    this.#tools = tools;
  }

  has({ workspace, kind, id }: EntityKey): boolean {
    return this.#rows(workspace).get(kind, id) !== undefined;
  }

  /** Adds the result of a load. Keys that were not found are recorded as absent. */
  fill(wanted: readonly EntityKey[], found: readonly Entity[]): void {
    for (const { workspace, kind, id } of wanted) {
      this.#rows(workspace).set(kind, id, absentRow({ workspace, kind, id }));
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

  /** The new state of every changed entity that still exists. */
  changed(): readonly Entity[] {
    const entities: Entity[] = [];
    for (const rows of this.#workspaces.values()) {
      rows.forEach(({ key: { workspace, kind, id }, version, seq, head, body, isChanged }) => {
        if (isChanged && body !== null) entities.push({ workspace, kind, id, version, seq, head, body });
      });
    }
    return entities;
  }

  /** One command's view and changes until `commit`. A command that throws never commits. */
  draft(workspace: string): CommandDraft {
    return new CommandDraft(workspace, this.#rows(workspace), this.#tools);
  }

  needsView(workspace: string): NeedsView {
    return new NeedsView(this.#rows(workspace), this.#tools.table);
  }

  #rows(workspace: string): ByName<Row> {
    const known = this.#workspaces.get(workspace);
    if (known !== undefined) return known;
    const rows = new ByName<Row>();
    this.#workspaces.set(workspace, rows);
    return rows;
  }
}

/** The view in which a command computes its needs. It records what was read. */
export class NeedsView implements AnyWorld {
  readonly attachments: AnyWorld["attachments"];
  readonly #rows: ByName<Row>;
  readonly #seen: (Row | undefined)[] = [];

  constructor(rows: ByName<Row>, { attachments }: Pick<Table, "attachments">) {
    this.#rows = rows;
    this.attachments = attachments;
  }

  get(kind: string, id: string): Body | undefined {
    return this.#row(kind, id)?.body ?? undefined;
  }

  version(kind: string, id: string): number {
    return this.#row(kind, id)?.version ?? 0;
  }

  /** Whether reading again would give the same. An entity that was not loaded then may be loaded now. */
  get isCurrent(): boolean {
    return this.#seen.every((row) => row !== undefined && this.#rows.get(row.key.kind, row.key.id) === row);
  }

  #row(kind: string, id: string): Row | undefined {
    const row = this.#rows.get(kind, id);
    this.#seen.push(row);
    return row;
  }
}
