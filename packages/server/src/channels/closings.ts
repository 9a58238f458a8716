/**
 * Closes what a channel has shown about a hold that has ended: an alert is resolved, a notification on a phone replaced.
 *
 * S1  Only a channel that has notified somebody about this hold is told, and only the people it told; nobody else learns of it.
 * S2  In order: while a notification is still being sent, its closing waits. It does not wait for quiet hours or a late retry.
 */

import type { Engine } from "../engine/engine.ts";
import { endingText } from "../kernel/chat/card.ts";
import { laneOfChannel } from "../kernel/lane.ts";
import type { OutboxAttempt, OutboxRow } from "../kernel/record.ts";
import type { Redact } from "../system/redact.ts";
import type { Channel } from "./channel.ts";
import { namesIn } from "./chat/render.ts";
import type { Carrier, Delivery } from "./delivery.ts";
import type { Failure } from "./failure.ts";
import { messageIdOf } from "./webhook/carrier.ts";

export interface ClosingOptions {
  readonly engine: Pick<Engine, "store" | "clock">;
  readonly channelOf: (name: string) => Channel | undefined;
  readonly redact: Redact;
  /** Whom a notification goes to now, for rows that do not say whom they told; `undefined`: to nobody any more. */
  readonly personTold: (row: OutboxRow) => Promise<string | null | undefined>;
  readonly consoleUrl: (holdId: string) => string;
}

/** More deliveries about one hold than this are not looked at. */
const DELIVERIES_MAX = 1_000;
/** Longer than a sender's claim: what is due later is in nobody's hands. */
const SOON_MS = 60_000;
const LATER: Delivery = { kind: "failed", error: "notice_on_its_way", isThrottled: true };

export function closingCarrier(options: ClosingOptions): Carrier {
  const { engine, channelOf } = options;
  return {
    async prepare(row) {
      const { endpoint, workspace, holdId } = row;
      const channel = channelOf(endpoint);
      if (channel?.close === undefined || holdId === null) return { kind: "withdrawn" };
      const rows = await engine.store.outbox({ workspace, holdId, limit: DELIVERIES_MAX });
      const notices = rows.filter(({ kind, endpoint: to }) => kind === "notice" && to === endpoint);
      // A notification that is not due yet is not sent any more: the hold has ended.
      const soon = engine.clock.now() + SOON_MS;
      const isSending = notices.some(({ state, dueAt }) => state === "waiting" && (dueAt ?? 0) <= soon);
      const sent = notices.filter(mayBeShown);
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

/** The message may have arrived before the connection was lost. */
const UNKNOWN: ReadonlySet<string> = new Set<Failure>([
  "timed_out",
  "stopped",
  "connection_lost",
  "bad_response",
]);

/** A try that ended without a response may have arrived all the same. */
function mayBeShown({ state, attempts }: OutboxRow): boolean {
  return state === "sent" || attempts.some(isUnknown);
}

function isUnknown({ ok, status, error = "" }: OutboxAttempt): boolean {
  return !ok && status === undefined && UNKNOWN.has(error);
}

function lastTold({ attempts }: OutboxRow): string | undefined {
  return attempts.findLast(({ told }) => told !== undefined)?.told;
}

async function closeBy(
  close: NonNullable<Channel["close"]>,
  row: OutboxRow,
  sent: readonly OutboxRow[],
  { engine, redact, personTold, consoleUrl }: ClosingOptions,
  signal: AbortSignal,
): Promise<Delivery> {
  const { workspace } = row;
  const holdId = row.holdId as string;
  const [hold] = await engine.store.load([{ workspace, kind: "hold", id: holdId, read: true }]);
  if (hold?.body.outcome === undefined) return { kind: "withdrawn" };
  const { ask, outcome } = hold.body;
  const told = await Promise.all(sent.map(async (one) => lastTold(one) ?? (await personTold(one))));
  const text = endingText(hold.body, outcome, await namesIn(hold.body, workspace, engine));
  const result = await close(
    {
      ...{ id: messageIdOf(row), workspace, holdId, url: consoleUrl(holdId) },
      ...{ prompt: await redact(ask?.prompt ?? ""), text: await redact(text) },
      recipients: [...new Set(told.filter((one) => one !== undefined))],
    },
    signal,
  );
  if (result.kind === "sent") return result;
  const { reason: error, ...rest } = result;
  return { ...rest, error };
}
