/** Reads the log of a workspace from its end, a window at a time, up to a bound. */

import { windowsBack } from "../../../engine/log-pages.ts";
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
  const stretch = { after: Math.max(0, before - 1 - READ_MAX), upTo: before - 1 };
  const windows = windowsBack(stretch, WINDOW, (places, limit) =>
    store.events({ workspace, ...places, limit }),
  );
  for await (const { events, after } of windows) yield { events: events.toReversed(), from: after + 1 };
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
  const stretch = { after: Math.max(0, last - READ_MAX), upTo: last };
  const windows = windowsBack(stretch, WINDOW, ({ after: afterSeq, upTo }) =>
    store.events({ ...of, after: 0, afterSeq, limit: upTo - afterSeq }),
  );
  for await (const { events, after } of windows)
    yield { events: events.toReversed(), from: after === 0 ? 1 : (events[0]?.position ?? 1) };
}
