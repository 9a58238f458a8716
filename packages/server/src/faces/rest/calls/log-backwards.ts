/** Reads the log of a workspace from its end, a window at a time, up to a bound. */

import type { EntityKey } from "../../../kernel/entity.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import type { Store } from "../../../store/port.ts";

const WINDOW = 1_000;
/** How far one request goes back. */
export const READ_MAX = 10_000;

interface Window {
  /** Newest first. */
  readonly events: readonly StoredEvent[];
  /** The position that the windows have come to; 1: nothing is before. */
  readonly from: number;
}

/** Yields the events before `before`, newest first, with the position that the windows have come to. */
export async function* backwards(
  store: Pick<Store, "events">,
  workspace: string,
  before: number,
): AsyncGenerator<Window> {
  const end = Math.max(0, before - 1 - READ_MAX);
  for (let upTo = before - 1; upTo > end; ) {
    const after = Math.max(end, upTo - WINDOW);
    const events = await store.events({ workspace, after, upTo, limit: WINDOW });
    yield { events: events.toReversed(), from: after + 1 };
    upTo = after;
  }
}

/** The same for the stream of one entity, whose events are numbered without gaps. */
export async function* backwardsInStream(
  store: Pick<Store, "events" | "load">,
  { workspace, kind, id }: EntityKey,
  before: number,
): AsyncGenerator<Window> {
  const of = { workspace, stream: `${kind}:${id}` };
  const [next] = await store.events({ ...of, after: before - 1, limit: 1 });
  const [entity] = next === undefined ? await store.load([{ workspace, kind, id, read: true }]) : [];
  const last = next === undefined ? (entity?.seq ?? 0) : next.seq - 1;
  const end = Math.max(0, last - READ_MAX);
  for (let upTo = last; upTo > end; ) {
    const afterSeq = Math.max(end, upTo - WINDOW);
    const events = await store.events({ ...of, after: 0, afterSeq, limit: upTo - afterSeq });
    yield { events: events.toReversed(), from: afterSeq === 0 ? 1 : (events[0]?.position ?? 1) };
    upTo = afterSeq;
  }
}
