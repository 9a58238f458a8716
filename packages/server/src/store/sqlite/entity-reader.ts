/** Reads entities: holds from their own table, all other kinds from the common table. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Entity } from "../../kernel/entity.ts";
import { LONG_ROW, type LoadRoom, TurnMeter } from "../load-room.ts";
import type { Query, Want } from "../port.ts";
import { BEYOND_EVERY_ID } from "../text-order.ts";
import { type HoldRow, listHolds, SELECT_HOLD } from "./hold-lists.ts";
import type { RecentRows } from "./recent-rows.ts";
import { rowOf, rowsIn, rowsOf } from "./rows.ts";
import type { Statements } from "./statements.ts";

const FIND_HOLD = "SELECT workspace, id, version, seq, head, body FROM hold WHERE id = ?";
const FIND_ENTITY = "SELECT workspace, id, version, seq, head, body FROM entity WHERE kind = ? AND id = ?";
const SELECT_ENTITY =
  "SELECT id, version, seq, head, body FROM entity WHERE kind = ? AND id = ? AND workspace = ?";

/** A page is one statement, unless the caller asks for a very long one. */
const ROWS_A_TURN = 50;
const CHARACTERS_A_TURN = 256 * 1024;

async function readInTurns(rows: Iterable<HoldRow>, read: (row: HoldRow) => void): Promise<void> {
  let characters = 0;
  for (const row of rows) {
    characters += row.body.length;
    if (characters > CHARACTERS_A_TURN) {
      await nextTurn();
      characters = row.body.length;
    }
    read(row);
  }
}

interface Loading {
  readonly recent?: RecentRows | undefined;
  readonly room?: LoadRoom | undefined;
}

export class EntityReader {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async load(wants: readonly Want[], { recent, room }: Loading = {}): Promise<readonly Entity[]> {
    const found: Entity[] = [];
    const meter = new TurnMeter();
    for (const want of wants) {
      const known = recent?.get(want);
      const row = known === undefined ? this.#select(want) : (known ?? undefined);
      if (known === undefined && want.read === true) recent?.addRead(want, row);
      if (row === undefined) continue;
      if (room?.admits(want, row.body.length) === false) {
        room.refuse(wants.slice(wants.indexOf(want) + 1));
        return found;
      }
      found.push(entityOf(want, row));
      if (meter.isOver(row.body.length)) await nextTurn();
    }
    return found;
  }

  #select({ workspace, kind, id }: Want): HoldRow | undefined {
    const row =
      kind === "hold"
        ? this.#statements.of(SELECT_HOLD).get(id, workspace)
        : this.#statements.of(SELECT_ENTITY).get(kind, id, workspace);
    return rowOf(row);
  }

  find(kind: string, id: string): Entity | undefined {
    const row =
      kind === "hold"
        ? this.#statements.of(FIND_HOLD).get(id)
        : this.#statements.of(FIND_ENTITY).get(kind, id);
    if (row === undefined) return undefined;
    return entityOf({ workspace: row.workspace as string, kind }, rowsOf<HoldRow>([row])[0] as HoldRow);
  }

  query(query: Query): readonly Entity[] {
    return Array.from(this.#rows(query), (row) => entityOf(query, row));
  }

  /** The same, spread over several event-loop turns if the rows are large (G13). */
  async queryInTurns(query: Query): Promise<readonly Entity[]> {
    const found: Entity[] = [];
    let from: Query = query;
    for (;;) {
      const limit = Math.min(ROWS_A_TURN, query.limit - found.length);
      const goal = found.length + limit;
      let characters = 0;
      // Leaving the loop ends the statement: rows that this turn does not parse are not read either.
      for (const row of this.#rows({ ...from, limit })) {
        found.push(entityOf(query, row));
        characters += row.body.length;
        if (characters > CHARACTERS_A_TURN) break;
      }
      const last = found.at(-1);
      const isCut = characters > CHARACTERS_A_TURN || found.length === goal;
      if (last === undefined || !isCut || found.length >= query.limit) return found;
      if (characters > LONG_ROW) await nextTurn();
      from = { ...query, after: last.id };
    }
  }

  async loadInTurns(
    of: Pick<Want, "workspace" | "kind">,
    ids: readonly string[],
  ): Promise<readonly Entity[]> {
    const found: Entity[] = [];
    const rows = ids.values().map((id) => this.#select({ ...of, id }));
    await readInTurns(
      rows.filter((row) => row !== undefined),
      (row) => found.push(entityOf(of, row)),
    );
    return found;
  }

  #rows(query: Query): Iterable<HoldRow> {
    return query.kind === "hold" ? listHolds(this.#statements, query) : this.#list(query);
  }

  #list(query: Query): Iterable<HoldRow> {
    const { workspace, kind, index, limit } = query;
    const from = query.after ?? (query.newestFirst === true ? BEYOND_EVERY_ID : "");
    const [beyond, order] = query.newestFirst === true ? ["<", "DESC"] : [">", "ASC"];
    if (index === undefined) {
      const { prefix } = query;
      const within = prefix === undefined ? [] : [prefix, prefix + BEYOND_EVERY_ID];
      const sql = `SELECT id, version, seq, head, body FROM entity
        WHERE workspace = ? AND kind = ? AND id ${beyond} ? ${prefix === undefined ? "" : "AND id >= ? AND id < ?"}
        ORDER BY id ${order} LIMIT ?`;
      return rowsIn(this.#statements.of(sql).iterate(workspace, kind, from, ...within, limit));
    }
    const sql = `SELECT e.id, e.version, e.seq, e.head, e.body FROM entity_index i
      CROSS JOIN entity e ON e.workspace = i.workspace AND e.kind = i.kind AND e.id = i.id
      WHERE i.workspace = ? AND i.kind = ? AND i.name = ? AND i.value = ? AND i.id ${beyond} ?
      ORDER BY i.id ${order} LIMIT ?`;
    return rowsIn(this.#statements.of(sql).iterate(workspace, kind, index.name, index.value, from, limit));
  }
}

function entityOf(of: Pick<Entity, "workspace" | "kind">, row: HoldRow): Entity {
  const { id, version, seq, head, body } = row;
  return { workspace: of.workspace, kind: of.kind, id, version, seq, head, body: JSON.parse(body) };
}
