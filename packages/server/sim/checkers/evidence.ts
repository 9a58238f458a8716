/** What a checker may look at. */

import type { EntityOf } from "../../src/domains.ts";
import type { Hold } from "../../src/kernel/hold/hold.ts";
import type { OutboxRow, StoredEvent } from "../../src/kernel/record.ts";
import type { Store } from "../../src/store/port.ts";
import type { Simulation } from "../simulation.ts";

const ALL = 1_000_000;

export interface Evidence {
  readonly sim: Simulation;
  readonly store: Store;
  readonly holds: ReadonlyMap<string, Hold>;
  readonly events: readonly StoredEvent[];
  readonly outbox: readonly OutboxRow[];
  readonly timers: Awaited<ReturnType<Store["dueTimers"]>>;
}

/** All rows of one kind, by id. */
export async function rowsIn<K extends "hold" | "chat_message">(
  store: Store,
  kind: K,
): Promise<ReadonlyMap<string, EntityOf<K>["body"]>> {
  const rows = new Map<string, EntityOf<K>["body"]>();
  let after: string | undefined;
  for (;;) {
    const page = await store.query({
      workspace: "default",
      kind,
      limit: 500,
      ...(after === undefined ? {} : { after }),
    });
    for (const { id, body } of page) rows.set(id, body);
    if (page.length < 500) return rows;
    after = page.at(-1)?.id;
  }
}

export async function evidenceOf(sim: Simulation, store: Store): Promise<Evidence> {
  const holds = await rowsIn(store, "hold");
  const events: StoredEvent[] = [];
  for await (const page of store.scan({ after: 0 })) events.push(...page);
  const outbox = await store.outbox({ workspace: "default", limit: ALL });
  return { sim, store, holds, events, outbox, timers: await store.dueTimers(Number.MAX_SAFE_INTEGER, ALL) };
}
