/** After all is healed: what was promised, against what is there. */

import { TABLE } from "../../packages/server/src/domains.ts";
import type { StoredEvent } from "../../packages/server/src/kernel/record.ts";
import { openPostgresStore } from "../../packages/server/src/store/postgres/open.ts";
import { systemClock } from "../../packages/server/src/system/clock.ts";
import { verifyLog } from "../../packages/server/src/verify-log.ts";
import type { Promised } from "./load.ts";

const SETTLING = ["hold.decided", "hold.expired", "hold.cancelled"];

export interface Found {
  readonly problems: readonly string[];
  readonly holds: number;
  readonly events: number;
  readonly checkpoints: number;
  readonly messages: number;
}

/** `received`: how often each message arrived, by its id. */
export async function check(
  url: string,
  promised: readonly Promised[],
  received: ReadonlyMap<string, number>,
): Promise<Found> {
  const store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
  const problems: string[] = [];
  try {
    const endings = new Map<string, StoredEvent[]>();
    for await (const page of store.scan({ after: 0, types: SETTLING })) {
      for (const event of page) endings.set(event.stream, [...(endings.get(event.stream) ?? []), event]);
    }
    for (const { id, action } of promised) {
      const [hold] = await store.load([{ workspace: "default", kind: "hold", id, read: true }]);
      if (hold === undefined) {
        problems.push(`${id}: acknowledged, and lost`);
        continue;
      }
      const outcome = hold.body["outcome"] as { kind?: string; action?: string } | undefined;
      const ended = endings.get(`hold:${id}`)?.length ?? 0;
      if (ended !== 1) problems.push(`${id}: ${ended} endings in the log`);
      const expected = action === null ? "expired" : "decided";
      if (outcome?.kind !== expected || (action !== null && outcome.action !== action)) {
        problems.push(`${id}: ${JSON.stringify(outcome)} instead of ${expected} ${action ?? ""}`);
      }
    }
    const messages = await sentMessages(store);
    for (const id of messages) if (!received.has(id)) problems.push(`message ${id}: sent, never received`);
    for (const id of received.keys()) if (!messages.has(id)) problems.push(`message ${id}: in no outbox`);
    const verified = await verifyLog(store);
    problems.push(...verified.breaks.map(({ position, what }) => `event ${position}: ${what}`));
    const { events, checkpoints } = verified;
    return { problems, holds: promised.length, events, checkpoints, messages: messages.size };
  } finally {
    await store.close();
  }
}

async function sentMessages(store: Awaited<ReturnType<typeof openPostgresStore>>): Promise<Set<string>> {
  const ids = new Set<string>();
  let before: string | undefined;
  for (;;) {
    const page = await store.outbox({
      ...{ workspace: "default", state: "sent", limit: 1000 },
      ...(before === undefined ? {} : { before }),
    });
    // What goes to the chat is looked for there.
    for (const { id, kind } of page) if (kind === "webhook" || kind === "callback") ids.add(id);
    before = page.at(-1)?.id;
    if (before === undefined) return ids;
  }
}

/** Nothing open, nothing to send: the system has come to rest. */
export async function atRest(url: string, limitMs: number): Promise<boolean> {
  const store = await openPostgresStore({ url, indexes: TABLE, clock: systemClock });
  try {
    for (const endsAt = systemClock.now() + limitMs; systemClock.now() < endsAt; ) {
      const { holds, outboxWaiting } = await store.census(systemClock.now());
      if ((holds["open"] ?? 0) === 0 && outboxWaiting === 0) return true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return false;
  } finally {
    await store.close();
  }
}
