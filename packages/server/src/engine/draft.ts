/**
 * The draft of one command: the batch's rows, with the command's own facts applied as they are stated. Each fact is
 * turned into rows, a sealed event, timers and messages at once; the batch takes them over when the command is
 * accepted.
 */

import { ByName } from "../kernel/by-name.ts";
import type { AnyFact } from "../kernel/domain.ts";
import type { Draft } from "../kernel/draft.ts";
import type { Body, EntityKey } from "../kernel/entity.ts";
import type { Platform } from "../kernel/platform.ts";
import type { OutboxRow, SealedEvent } from "../kernel/record.ts";
import type { AnyBodies, AnyRecord, Table } from "../kernel/table.ts";
import type { Need } from "../kernel/world.ts";
import type { Changes } from "../store/port.ts";
import { absentRow, type Row } from "./row.ts";
import { contentDigest, type Seal, seal } from "./seal.ts";

export type TimerChange = Changes["timers"][number];

/** What a command's facts write besides rows. */
export interface Written {
  readonly events: readonly SealedEvent[];
  readonly outbox: readonly OutboxRow[];
  readonly timers: readonly TimerChange[];
  /** Holds whose outbox messages must lose their recipients. */
  readonly forget: readonly { readonly workspace: string; readonly holdId: string }[];
}

type WrittenLists = { readonly [P in keyof Written]: Written[P][number][] };

export interface DraftTools {
  readonly table: Table;
  readonly platform: Platform;
  /** Seal functions for kinds whose events are hashed differently; all others use `seal`. */
  readonly seals: Readonly<Record<string, Seal>>;
}

type RowPart = Partial<Pick<Row, "body" | "seq" | "head">>;

interface State {
  readonly rows: ByName<Row>;
  readonly written: WrittenLists;
  facts: number;
}

export class CommandDraft implements Draft<AnyBodies, AnyFact> {
  readonly #workspace: string;
  readonly #base: ByName<Row>;
  readonly #tools: DraftTools;
  #now: State | null = null;
  #kept: State | null = null;
  #characters = 0;
  readonly #count = (characters: number) => {
    this.#characters += characters;
  };

  constructor(workspace: string, base: ByName<Row>, tools: DraftTools) {
    this.#workspace = workspace;
    this.#base = base;
    this.#tools = tools;
  }

  get attachments() {
    return this.#tools.table.attachments;
  }

  get(kind: string, id: string): Body | undefined {
    return this.#row(kind, id)?.body ?? undefined;
  }

  version(kind: string, id: string): number {
    return this.#row(kind, id)?.version ?? 0;
  }

  hasLoaded(needs: readonly Need[]): boolean {
    return needs.every(({ kind, id, ifRoom }) => ifRoom === true || this.#row(kind, id) !== undefined);
  }

  /** How much was hashed as content of events and written as their data, also if it was dropped since. */
  get characters(): number {
    return this.#characters;
  }

  /** Whether any fact was stated. */
  get isWritten(): boolean {
    return this.#now !== null && this.#now.facts > 0;
  }

  state(record: AnyRecord): void {
    const { table } = this.#tools;
    this.#now ??= {
      rows: new ByName(),
      written: { events: [], outbox: [], timers: [], forget: [] },
      facts: 0,
    };
    const { written } = this.#now;
    for (const change of table.evolve(this, record)) {
      this.#change(change.kind, change.id, { body: change.body });
      const dueAt = table.timerOf(change);
      if (dueAt !== undefined)
        setTimer(written.timers, { workspace: this.#workspace, kind: change.kind, id: change.id }, dueAt);
    }
    this.#now.facts += 1;
    this.#append(record, written);
    if (table.forgetsRecipients(record))
      written.forget.push({ workspace: this.#workspace, holdId: record.id });
  }

  keepSoFar(): void {
    this.#kept = this.#now === null ? null : copy(this.#now);
  }

  /** Drops what was stated after `keepSoFar`. */
  rollBack(): void {
    this.#now = this.#kept;
  }

  /** Applies the rows to the batch and returns everything else that was written. */
  commit(): Written | null {
    this.#now?.rows.forEach((row) => {
      this.#base.set(row.key.kind, row.key.id, row);
    });
    return this.#now?.written ?? null;
  }

  #append(record: AnyRecord, { events, outbox }: State["written"]): void {
    const { table, platform, seals } = this.#tools;
    const logged = table.logEvent(this.#workspace, record);
    if (logged === null) return;
    const { kind, id } = record;
    const row = this.#row(kind, id);
    const salt = table.saltOf(kind, row?.body ?? undefined);
    const sealed = seals[kind] ?? seal;
    const vouched = row?.body == null ? undefined : table.vouchedOf(kind, row.body);
    const event = sealed(
      vouched === undefined
        ? logged
        : { ...logged, data: { ...logged.data, row: contentDigest(vouched, id) } },
      (row?.seq ?? 0) + 1,
      row?.head ?? "",
      salt,
      this.#count,
    );
    this.#characters += event.data.length;
    this.#change(kind, id, { seq: event.seq, head: event.hash });
    events.push(event);
    for (const message of table.messages(record, event, this, platform, outbox.length)) outbox.push(message);
  }

  #change(kind: string, id: string, part: RowPart): void {
    const { rows } = this.#now as State;
    const before = rows.get(kind, id);
    const row = before ?? this.#base.get(kind, id) ?? absentRow({ workspace: this.#workspace, kind, id });
    const { body = row.body, seq = row.seq, head = row.head } = part;
    // A command raises the version by one, no matter how many facts it states.
    const version = before === undefined ? row.version + 1 : row.version;
    // Each member is named instead of spread, because every fact runs through here twice.
    rows.set(kind, id, { key: row.key, stored: row.stored, version, seq, head, body, isChanged: true });
  }

  #row(kind: string, id: string): Row | undefined {
    return this.#now?.rows.get(kind, id) ?? this.#base.get(kind, id);
  }
}

function copy({ rows, written, facts }: State): State {
  const { events, outbox, timers, forget } = written;
  return {
    rows: rows.copy(),
    written: { events: [...events], outbox: [...outbox], timers: [...timers], forget: [...forget] },
    facts,
  };
}

/** The facts of one command are mostly about one entity, and only its last timer counts. */
function setTimer(timers: TimerChange[], key: EntityKey, dueAt: number | null): void {
  const last = timers.at(-1)?.key;
  if (last?.id === key.id && last.kind === key.kind) timers.pop();
  timers.push({ key, dueAt });
}
