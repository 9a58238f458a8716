/**
 * Combines the loads of one event-loop turn into one statement: after a commit, many waiters read at the same time.
 * Each caller gets the result of a statement that began after its call.
 */

import { type Entity, keyText } from "../../kernel/entity.ts";
import type { Want } from "../port.ts";

interface PendingLoad {
  readonly wants: readonly Want[];
  readonly resolve: (found: readonly Entity[]) => void;
  readonly reject: (fault: unknown) => void;
}

export class GroupedLoads {
  readonly #load: (wants: readonly Want[]) => Promise<readonly Entity[]>;
  #pending: PendingLoad[] = [];

  constructor(load: (wants: readonly Want[]) => Promise<readonly Entity[]>) {
    this.#load = load;
  }

  load(wants: readonly Want[]): Promise<readonly Entity[]> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ wants, resolve, reject });
      if (this.#pending.length === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const group = this.#pending;
    this.#pending = [];
    try {
      const wanted = new Map(group.flatMap(({ wants }) => wants.map((want) => [keyText(want), want])));
      const loaded = await this.#load([...wanted.values()]);
      const found = new Map(loaded.map((entity) => [keyText(entity), entity]));
      for (const { wants, resolve } of group) {
        resolve(wants.map((want) => found.get(keyText(want))).filter((entity) => entity !== undefined));
      }
    } catch (fault) {
      for (const { reject } of group) reject(fault);
    }
  }
}
