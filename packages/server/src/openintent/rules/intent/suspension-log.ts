/**
 * The row with what the log says about one suspension. Every command on the intent loads it whole, so what clients add to it
 * has a bound (G13). What the server logs itself is bounded by the ask and its attempts and is never refused: no answer and no
 * expiry fails because a client has filled the row.
 */

import { type Failure, failure } from "../failure.ts";
import type { World } from "../world.ts";
import { type Intent, type SuspensionLog, suspensionLogId } from "./intent.ts";
import type { Entry } from "./intent-log.ts";

/** More than an ask can have attempts and escalations, which agents of other servers log themselves. */
const ENTRIES_MAX = 1_000;
const CHARACTERS_MAX = 2 * 1024 * 1024;

/** Why a client's request cannot add to the row, or `null` if it can. */
export function whyLogFull({ id }: Intent, suspensionId: string, world: World): Failure | null {
  const payloads = world.get("suspension_log", suspensionLogId(id, suspensionId))?.payloads ?? {};
  const isFull =
    Object.keys(payloads).length >= ENTRIES_MAX || JSON.stringify(payloads).length >= CHARACTERS_MAX;
  if (!isFull) return null;
  const message = `the log keeps at most ${ENTRIES_MAX} events and 2 MiB about one suspension. Use a record with another id.`;
  return failure("too_many", message);
}

/** The row after an event was logged. */
export function withPayload(
  { id: intentId }: Intent,
  suspensionId: string,
  seq: number,
  { payload, loggedOnce }: Entry,
  world: World,
) {
  const id = suspensionLogId(intentId, suspensionId);
  const before = world.get("suspension_log", id);
  const fresh = { intentId, suspensionId, payloads: {}, told: {} };
  const log: SuspensionLog = before === undefined || before.erasedAt !== undefined ? fresh : before;
  const body: SuspensionLog = {
    ...log,
    payloads: { ...log.payloads, [seq]: payload },
    ...(loggedOnce === undefined
      ? {}
      : { holdId: loggedOnce.holdId, told: { ...log.told, [loggedOnce.as]: seq } }),
  };
  return { kind: "suspension_log", id, body } as const;
}
