/**
 * Loads of one turn of the event loop are asked as one statement: when a batch has been committed, many who wait read at
 * once. Whoever asks is answered by a statement that began after they asked.
 */

import { type Entity, keyText } from "../../kernel/entity.ts";
import type { Want } from "../port.ts";

interface Asking {
  readonly wants: readonly Want[];
  readonly resolve: (found: readonly Entity[]) => void;
  readonly reject: (fault: unknown) => void;
}

export class GroupedLoads {
  readonly #load: (wants: readonly Want[]) => Promise<readonly Entity[]>;
  #asking: Asking[] = [];

  constructor(load: (wants: readonly Want[]) => Promise<readonly Entity[]>) {
    this.#load = load;
  }

  load(wants: readonly Want[]): Promise<readonly Entity[]> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ wants, resolve, reject });
      if (this.#asking.length === 1) setImmediate(() => void this.#ask());
    });
  }

  async #ask(): Promise<void> {
    const group = this.#asking;
    this.#asking = [];
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
