/**
 * The rows committed last: an answer usually follows its placing closely, and whoever waits asks in between, so most of what
 * is read was just written. There is one writer, and it tells what it wrote once that is durable, so what stands here is
 * what the file says. Two generations forget the oldest without keeping an order.
 */

import { type EntityKey, keyText } from "../../core/entity.ts";
import type { PreparedPut } from "./entity-writer.ts";
import type { HoldRow } from "./hold-lists.ts";

const ROWS_MAX = 1000;
const CHARACTERS_MAX = 1_000_000;

export class RecentRows {
  #young = new Map<string, HoldRow>();
  #old = new Map<string, HoldRow>();
  #characters = 0;

  get(key: EntityKey): HoldRow | undefined {
    const text = keyText(key);
    return this.#young.get(text) ?? this.#old.get(text);
  }

  wrote({ put: { key, version, seq, head }, text: body }: PreparedPut): void {
    const text = keyText(key);
    this.#old.delete(text);
    if (body === null) {
      this.#young.delete(text);
      return;
    }
    this.#young.set(text, { id: key.id, version, seq, head, body });
    this.#characters += body.length;
    if (this.#young.size < ROWS_MAX && this.#characters < CHARACTERS_MAX) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#characters = 0;
  }
}
