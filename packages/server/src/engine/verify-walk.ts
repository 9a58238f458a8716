/** What every check of rows against the log uses: reading rows in pages, and the data of an event. */

import type { EntityOf } from "../domains.ts";
import type { ReadStore } from "../store/port.ts";

const PAGE = 500;

export interface LoggedFact {
  readonly position: number;
  readonly seq: number;
  readonly type: string;
  /** What the log stores in clear, and the digest of the private content. */
  readonly data: Readonly<Record<string, unknown>>;
}

export type Report = (what: string, at?: { readonly position: number; readonly seq: number }) => void;

/** Data that is no longer JSON is already reported as changed, because its hash does not match. */
export function readData(data: string): LoggedFact["data"] {
  try {
    return JSON.parse(data) ?? {};
  } catch {
    return {};
  }
}

export async function* walk<K extends string>(
  store: ReadStore,
  workspace: string,
  kind: K,
): AsyncGenerator<EntityOf<K>> {
  let after: string | undefined;
  for (;;) {
    const page = await store.query({
      workspace,
      kind,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id;
  }
}
