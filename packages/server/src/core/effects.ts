/** What a commit sets in motion: the next timer of each entity, and messages to whoever asked to be told. */

import type { WorkspaceSettings } from "./access/access.ts";
import type { Stated } from "./fact.ts";
import type { Hold } from "./hold/hold.ts";
import { dueAt } from "./hold/time.ts";
import type { OutboxRow, SealedEvent } from "./record.ts";
import type { Change } from "./world.ts";

/** `undefined`: this kind has no timers. */
export function timerOf(change: Change): number | null | undefined {
  if (change.kind !== "hold") return undefined;
  return change.body === null ? null : dueAt(change.body);
}

const ENDINGS: ReadonlySet<string> = new Set(["hold.decided", "hold.expired", "hold.cancelled"]);

/** Messages that this event causes. Their ids follow from the event, so deciding again makes the same ones. */
export function messagesOf(
  stated: Stated,
  event: SealedEvent,
  hold: Hold | undefined,
  settings: WorkspaceSettings,
): readonly OutboxRow[] {
  if (hold === undefined || stated.kind !== "hold") return [];
  const rows: OutboxRow[] = [];
  for (const webhook of settings.webhooks) {
    if (webhook.events.length > 0 && !webhook.events.includes(event.type)) continue;
    rows.push(message(event, hold.id, "webhook", webhook.id, {}));
  }
  if (hold.callbackUrl !== undefined && ENDINGS.has(event.type)) {
    rows.push(message(event, hold.id, "callback", "callback", {}));
  }
  const { fact } = stated;
  if ((fact.type === "hold.escalated" || fact.type === "hold.reminded") && fact.rung.state === "fired") {
    const { channel, to, n } = fact.rung;
    const detail = { attempt: n, ...(to === undefined ? {} : { to }) };
    if (channel !== undefined) rows.push(message(event, hold.id, "notice", channel, detail));
  }
  return rows;
}

function message(
  event: SealedEvent,
  holdId: string,
  kind: OutboxRow["kind"],
  endpoint: string,
  detail: OutboxRow["detail"],
): OutboxRow {
  const { stream, seq, type, at, workspace } = event;
  return {
    id: `msg_${holdId}-${seq}-${endpoint}`,
    workspace,
    kind,
    endpoint,
    holdId,
    event: { stream, seq, type },
    detail,
    state: "waiting",
    attempts: [],
    createdAt: at,
    dueAt: at,
    claim: 0,
  };
}
