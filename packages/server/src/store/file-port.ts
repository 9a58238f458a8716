/**
 * Where the bytes of uploaded files are: beside the database, under the file's id. The database says which there are; this
 * keeps and forgets.
 *
 * F1  When `write` resolves, the file survives `kill -9`; until then nobody finds any of it.
 * F2  A file is written once and never changed.
 */

export interface FileStore {
  /** Reads `parts` no faster than it writes. If they break off, nothing is left behind. */
  write(id: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /** `undefined`: there is no such file. */
  read(id: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** What is not there is removed already. */
  remove(ids: readonly string[]): Promise<void>;
  /** Every file, those being written included. */
  list(): AsyncIterable<string>;
  close(): Promise<void>;
}

export async function gathered<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Copies what the other has not yet, as `backup` and `migrate` do; cut off, it goes on where it was. */
export async function transferFiles(from: FileStore, to: FileStore): Promise<number> {
  const there = new Set(await gathered(to.list()));
  let moved = 0;
  for await (const id of from.list()) {
    if (there.has(id) && (await isWhole(to, id))) continue;
    const parts = await from.read(id);
    if (parts === undefined) continue;
    // What an earlier try left of it.
    if (there.has(id)) await to.remove([id]);
    await to.write(id, parts);
    moved += 1;
  }
  return moved;
}

/** What was being written when the other side was cut off is listed, and never found (F1). */
async function isWhole(files: FileStore, id: string): Promise<boolean> {
  const parts = await files.read(id);
  if (parts === undefined) return false;
  // Whoever began to read lets go of it by reading.
  for await (const _part of parts) break;
  return true;
}

/** Ids are made here and also name files on disk: nothing in them may lead elsewhere. */
export function assertFileId(id: string): void {
  if (!/^[\w-]{1,200}$/.test(id)) throw new Error("not the id of a file");
}
