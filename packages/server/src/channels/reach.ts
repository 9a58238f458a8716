/** Tells the hold whether its deliveries reached anybody, before each result is written, so that nothing is lost in between. */

import type { Engine } from "../engine/engine.ts";
import { SYSTEM } from "../kernel/principal.ts";
import type { OutboxRow } from "../kernel/record.ts";
import { BAD_TOKEN } from "./chat/carrier.ts";
import type { SenderResult } from "./sender.ts";

/** More deliveries about one hold than this are not looked at. */
const DELIVERIES_MAX = 1_000;

export async function noteReach(engine: Engine, row: OutboxRow, result: SenderResult): Promise<void> {
  if (row.kind !== "notice" || row.holdId === null) return;
  if (result === "sent") await reached(engine, row, row.holdId);
  // The token may be replaced within minutes, or never: the next rung does not wait for it.
  const isRefused = result === "retry" && row.attempts.at(-1)?.error === BAD_TOKEN;
  if (isRefused || result === "failed" || result === "no_channel") await unreached(engine, row, row.holdId);
}

/** Usually somebody was reached before: then nothing is written. */
async function reached(engine: Engine, row: OutboxRow, holdId: string): Promise<void> {
  const { workspace, endpoint: channel } = row;
  const [hold] = await engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  if (hold?.body.unreached === undefined || hold.body.status !== "open") return;
  await engine.run({ kind: "note_reached", workspace, by: SYSTEM, holdId, channel });
}

async function unreached(engine: Engine, row: OutboxRow, holdId: string): Promise<void> {
  const { workspace, endpoint: channel, event, id: delivery } = row;
  const rows = await engine.store.outbox({ workspace, holdId, limit: DELIVERIES_MAX });
  const notices = rows.filter(({ kind }) => kind === "notice");
  await engine.run({
    ...({ kind: "note_unreached", workspace, by: SYSTEM } as const),
    ...{ holdId, delivery, channel, event: event.seq },
    siblings: notices.filter((one) => one.event.seq === event.seq).map(({ id }) => id),
    anySent: notices.some(({ state }) => state === "sent"),
  });
}
