/** Notifications that waited for the end of a person's quiet hours: one of them is sent, and none that would come after the hold's end. */

import type { Engine } from "../engine/engine.ts";
import { type OutboxRow, TOO_QUIET, WAITED_UNTIL } from "../kernel/record.ts";
import type { Delivery } from "./delivery.ts";

/** More deliveries about one hold than this are not looked at. */
const DELIVERIES_MAX = 1_000;

/** Why a notification is not sent; `null`: it is. */
export async function whyNotAfterQuiet(
  row: OutboxRow,
  { store }: Pick<Engine, "store">,
): Promise<Exclude<Delivery, { kind: "sent" }> | null> {
  const { workspace, holdId, detail, attempts } = row;
  // Somebody asked for it to be sent again, or it is a retry.
  if (attempts.length > 0) return null;
  // A fixed word, so that the console says why; the ladder goes on as after any failed delivery.
  if (detail[TOO_QUIET] === true) return { kind: "failed", error: "quiet_hours", retry: false };
  if (detail[WAITED_UNTIL] === undefined || holdId === null) return null;
  const rows = await store.outbox({ workspace, holdId, limit: DELIVERIES_MAX });
  return rows.some((other) => isEarlier(other, row)) ? { kind: "withdrawn" } : null;
}

/** The first one is sent: for the person it is news, and no reminder. */
function isEarlier(other: OutboxRow, row: OutboxRow): boolean {
  return (
    other.kind === "notice" &&
    other.endpoint === row.endpoint &&
    other.detail["to"] === row.detail["to"] &&
    other.detail[WAITED_UNTIL] === row.detail[WAITED_UNTIL] &&
    other.event.seq < row.event.seq
  );
}
