/**
 * The rows committed last: an answer usually follows its placing closely, and whoever waits asks in between, so most of what
 * is read was just written. There is one writer, and it tells what it wrote once that is durable, so what stands here is
 * what the file says. Two generations forget the oldest without keeping an order. Of entities with one id the last written
 * one stands here: making one text of every name would cost more than reading the few others again.
 */

import type { EntityKey } from "../../kernel/entity.ts";
import type { PreparedPut } from "./entity-writer.ts";
import type { HoldRow } from "./hold-lists.ts";

const ROWS_MAX = 1000;
const CHARACTERS_MAX = 1_000_000;

type RecentRow = HoldRow & Pick<EntityKey, "workspace" | "kind">;

export class RecentRows {
  #young = new Map<string, RecentRow>();
  #old = new Map<string, RecentRow>();
  #characters = 0;

  get({ workspace, kind, id }: EntityKey): HoldRow | undefined {
    const row = this.#young.get(id) ?? this.#old.get(id);
    return row?.kind === kind && row.workspace === workspace ? row : undefined;
  }

  wrote({ put: { key, version, seq, head }, text: body }: PreparedPut): void {
    const { workspace, kind, id } = key;
    this.#old.delete(id);
    if (body === null) {
      this.#young.delete(id);
      return;
    }
    this.#young.set(id, { workspace, kind, id, version, seq, head, body });
    this.#characters += body.length;
    if (this.#young.size < ROWS_MAX && this.#characters < CHARACTERS_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = 0;
  }
}
