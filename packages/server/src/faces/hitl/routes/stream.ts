/** Streams a case's past events, then new ones, and closes after the case has ended. */

import { caseFrame } from "@holdpoint/protocol/hitl/case";
import { isTerminal } from "@holdpoint/protocol/hitl/words";
import { pagesOf } from "../../../engine/log-pages.ts";
import type { Entity } from "../../../kernel/entity.ts";
import type { Hold } from "../../../kernel/hold/hold.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { time } from "../../http/present.ts";
import { eventStream, type Frame } from "../../http/sse.ts";
import type { HitlDeps } from "../deps.ts";
import { findOwnCase } from "../doors.ts";
import { caseOf } from "../map.ts";
import type { Routes } from "../operations.ts";

export const stream = {
  async followCase(call, deps) {
    const { by, headers } = call;
    const hold = await findOwnCase(call.params.case_id, call, deps);
    const after = await startOf(headers["last-event-id"], deps);
    return eventStream((signal) => framesOf(hold, by, after, deps, signal), {
      clock: deps.engine.clock,
      isWelcome: call.isWelcome,
    });
  },
} satisfies Routes;

/** Starts at the beginning unless the reader names its last event; a position beyond the end starts with new events. */
async function startOf(lastEventId: string | undefined, { engine }: HitlDeps): Promise<number> {
  if (lastEventId === undefined || !/^\d{1,15}$/.test(lastEventId)) return 0;
  return Math.min(Number(lastEventId), await engine.store.lastPosition());
}

async function* framesOf(
  hold: Entity<Hold>,
  by: Principal,
  after: number,
  deps: HitlDeps,
  signal: AbortSignal,
): AsyncGenerator<readonly Frame[]> {
  const { workspace } = hold;
  const stream = `hold:${hold.id}`;
  const source =
    hold.body.status === "open"
      ? deps.feed.follow({ workspace, streams: [stream] }, after, signal)
      : history({ workspace, stream }, after, deps);
  for await (const events of source) {
    // The event of an end contains the result, which is read from the hold because it is stored only there (G9).
    const now = (await deps.holds.get(hold.workspace, hold.id)) ?? hold;
    const frames = events.flatMap((event) => frameOf(now, event, by, deps));
    yield frames;
    if (frames.some(({ event }) => isTerminal(event?.slice("review.".length) ?? ""))) return;
  }
}

async function* history(
  filter: { readonly workspace: string; readonly stream: string },
  after: number,
  { engine }: HitlDeps,
): AsyncGenerator<readonly StoredEvent[]> {
  yield* pagesOf(engine.store, { ...filter, after, limit: Number.MAX_SAFE_INTEGER });
}

function frameOf(
  hold: Entity<Hold>,
  event: StoredEvent,
  by: Principal,
  { signResult }: HitlDeps,
): readonly Frame[] {
  const { position, stream, seq, type, actor, previous, hash } = event;
  const told = {
    ...{ position, stream, holdId: hold.id, seq, type, actor, previous, hash },
    at: time(event.at),
    data: JSON.parse(event.data),
  };
  const frame = caseFrame(caseOf(hold, by), told);
  if (frame === undefined) return [];
  return [signResult === undefined ? frame : { ...frame, data: signResult(frame.data) }];
}
