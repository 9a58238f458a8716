import type { StoredEvent } from "../../kernel/record.ts";
import type { EventQuery, ScanQuery } from "../port.ts";

const SCAN_PAGE = 1000;

/** Reads pages until one is empty. `upTo` keeps a scan of a growing log finite. */
export async function* scanEvents(
  query: ScanQuery,
  read: (query: EventQuery) => Promise<readonly StoredEvent[]>,
): AsyncIterable<readonly StoredEvent[]> {
  let after: number | undefined = query.after;
  while (after !== undefined) {
    const page = await read({ ...query, after, limit: SCAN_PAGE });
    if (page.length > 0) yield page;
    after = page.at(-1)?.position;
  }
}
