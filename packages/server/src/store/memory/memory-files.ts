/** The reference implementation of the file store: files in memory, for tests and simulations. */

import { assertFileId, type FileStore } from "../file-port.ts";

export function memoryFiles(): FileStore {
  const files = new Map<string, readonly Uint8Array[]>();
  return {
    async write(id, parts) {
      assertFileId(id);
      const kept: Uint8Array[] = [];
      for await (const part of parts) kept.push(Uint8Array.from(part));
      files.set(id, kept);
    },
    async read(id) {
      const found = files.get(id);
      return found === undefined ? undefined : inTurn(found);
    },
    async remove(ids) {
      for (const id of ids) files.delete(id);
    },
    async *list() {
      yield* files.keys();
    },
    async close() {},
  };
}

async function* inTurn(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}
