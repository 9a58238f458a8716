/**
 * Closes what a channel has shown about a hold that has ended: an alert is resolved, a notification on a phone replaced.
 *
 * S1  Only a channel that has notified somebody about this hold is told; from the others nobody learns of it.
 * S2  In order: while a notification is still being sent, its closing waits. It does not wait for quiet hours or a late retry.
 */

import type { Engine } from "../engine/engine.ts";
import { endingText } from "../kernel/chat/card.ts";
import { laneOfChannel } from "../kernel/lane.ts";
import type { OutboxRow } from "../kernel/record.ts";
import type { Redact } from "../system/redact.ts";
import type { Channel } from "./channel.ts";
import { namesIn } from "./chat/render.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import { messageIdOf } from "./webhook/carrier.ts";

export interface ClosingOptions {
  readonly engine: Pick<Engine, "store" | "clock">;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly redact: Redact;
  /** The address of a notification's recipient; `undefined`: nobody has it any more. */
  readonly addressOf: (row: OutboxRow) => Promise<string | null | undefined>;
  readonly consoleUrl: (holdId: string) => string;
}

/** More deliveries about one hold than this are not looked at. */
const DELIVERIES_MAX = 1_000;
/** Longer than a sender's claim: what is due later is in nobody's hands. */
const SOON_MS = 60_000;
const LATER: Delivery = { kind: "failed", error: "notice_on_its_way", isThrottled: true };

export function closingCarrier(options: ClosingOptions): Carrier {
  const { engine, channels } = options;
  return {
    async prepare(row) {
      const { endpoint, workspace, holdId } = row;
      const channel = Object.hasOwn(channels, endpoint) ? channels[endpoint] : undefined;
      if (channel?.close === undefined || holdId === null) return { kind: "withdrawn" };
      const rows = await engine.store.outbox({ workspace, holdId, limit: DELIVERIES_MAX });
      const notices = rows.filter(({ kind, endpoint: to }) => kind === "notice" && to === endpoint);
      // A notification that is not due yet is not sent any more: the hold has ended.
      const soon = engine.clock.now() + SOON_MS;
      const isSending = notices.some(({ state, dueAt }) => state === "waiting" && (dueAt ?? 0) <= soon);
      const sent = notices.filter(({ state }) => state === "sent");
      if (!isSending && sent.length === 0) return { kind: "withdrawn" };
      const close = channel.close.bind(channel);
      return {
        kind: "ready",
        lane: laneOfChannel(endpoint),
        send: async (signal) => (isSending ? LATER : closeBy(close, row, sent, options, signal)),
      };
    },
  };
}

async function closeBy(
  close: NonNullable<Channel["close"]>,
  row: OutboxRow,
  sent: readonly OutboxRow[],
  { engine, redact, addressOf, consoleUrl }: ClosingOptions,
  signal: AbortSignal,
): Promise<Delivery> {
  const { workspace } = row;
  const holdId = row.holdId as string;
  const [hold] = await engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  if (hold?.body.outcome === undefined) return { kind: "withdrawn" };
  const { ask, outcome } = hold.body;
  const addresses = await Promise.all(sent.map(addressOf));
  const text = endingText(hold.body, outcome, await namesIn(hold.body, workspace, engine));
  const result = await close(
    {
      ...{ id: messageIdOf(row), workspace, holdId, url: consoleUrl(holdId) },
      ...{ prompt: await redact(ask?.prompt ?? ""), text: await redact(text) },
      recipients: [...new Set(addresses.filter((address) => address !== undefined))],
    },
    signal,
  );
  if (result.kind === "sent") return result;
  const { reason: error, ...rest } = result;
  return { ...rest, error };
}
