/** Stores files in the database, for servers that share nothing else. */

import { assertFileId, type FileStore } from "../file-port.ts";
import { openPool, readAddress } from "./connect.ts";
import { storeFault } from "./faults.ts";

const PART_BYTES = 1024 * 1024;
const PAGE = 1000;

/** The store creates the table with its schema, so it must have been opened before. */
export function postgresFiles(url: string): FileStore {
  const pool = openPool(readAddress(url));
  const query = async (text: string, values: readonly unknown[] = []) => {
    try {
      return (await pool.query(text, [...values])).rows as readonly Record<string, unknown>[];
    } catch (fault) {
      throw storeFault(fault);
    }
  };
  const remove = async (ids: readonly string[]) => {
    if (ids.length > 0) await query("DELETE FROM file_part WHERE file_id = ANY ($1::text[])", [ids]);
  };
  return {
    async write(id, parts) {
      assertFileId(id);
      try {
        let part = 0;
        for await (const { bytes, isLast } of evenly(parts)) {
          await query("INSERT INTO file_part VALUES ($1, $2, $3, $4)", [id, part, isLast, bytes]);
          part += 1;
        }
      } catch (fault) {
        await remove([id]);
        throw fault;
      }
    },
    async read(id) {
      const [whole] = await query("SELECT part FROM file_part WHERE file_id = $1 AND is_last", [id]);
      return whole === undefined ? undefined : partsOf(id, Number(whole["part"]), query);
    },
    remove,
    list: () => idsOf(query),
    close: () => pool.end(),
  };
}

type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;

async function* partsOf(id: string, last: number, query: Ask): AsyncGenerator<Uint8Array> {
  for (let part = 0; part <= last; part += 1) {
    const [row] = await query("SELECT content FROM file_part WHERE file_id = $1 AND part = $2", [id, part]);
    if (row === undefined) throw new Error("the file was removed while it was being read");
    yield row["content"] as Uint8Array;
  }
}

async function* idsOf(query: Ask): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const rows = await query(
      `SELECT DISTINCT file_id FROM file_part WHERE file_id > $1 ORDER BY file_id LIMIT ${PAGE}`,
      [after],
    );
    for (const row of rows) yield String(row["file_id"]);
    if (rows.length < PAGE) return;
    after = String(rows.at(-1)?.["file_id"]);
  }
}

/** Splits the content into parts of one size. There is always at least one part, and the last one is marked. */
async function* evenly(parts: AsyncIterable<Uint8Array>) {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PART_BYTES) {
      const piece = part.subarray(at, at + PART_BYTES);
      if (size + piece.length > PART_BYTES) {
        yield { bytes: Buffer.concat(waiting), isLast: false };
        [waiting, size] = [[], 0];
      }
      waiting.push(piece);
      size += piece.length;
    }
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}
