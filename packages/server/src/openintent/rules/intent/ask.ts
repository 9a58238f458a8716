/** Suspends an intent in one call: status, record and hold are written together or not at all. */

import { isObject, member, sameJson } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { failure } from "../failure.ts";
import type { Draft, World } from "../world.ts";
import { adopt } from "./adopt.ts";
import type { SuspendIntent } from "./commands.ts";
import type { Intent } from "./intent.ts";
import { begin, nextVersion } from "./intent-log.ts";
import { readRecord } from "./record.ts";
import { whyStale } from "./stale.ts";
import { enterSuspension, whyNotSuspend } from "./suspend.ts";
import { writtenRecord } from "./suspension.ts";
import { whyNot } from "./who.ts";

export function suspendIntent(command: SuspendIntent, intent: Intent, draft: Draft, context: Context): Reply {
  const { by, made } = command;
  const denied = whyNot(intent, by, "write", context.now);
  if (denied !== null) return refuse(denied);
  const read = readRecord(command.record, "strict");
  if ("problems" in read)
    return refuse(failure("invalid_record", "the suspension record is not valid", read));
  // A repeated call, for example after a lost reply, is accepted for the same record, answered or not (G8).
  if (isSameAgain(intent, read.record, draft)) return accept(intent.id);
  const wrong = whyStale(intent, command.ifVersion) ?? whyNotSuspend(intent, draft);
  if (wrong !== null) return refuse(wrong);
  const intentLog = enterSuspension(nextVersion(begin(intent, draft, context.now, by)));
  const adopted = adopt(intentLog, read.record, by, made, context);
  return "code" in adopted ? refuse(adopted) : accept(intent.id);
}

function isSameAgain({ suspension }: Intent, record: Parameters<typeof sameJson>[0], world: World): boolean {
  if (suspension === undefined || !isObject(record) || member(record, "id") !== suspension.id) return false;
  const hold = world.get("hold", suspension.holdId);
  const written = hold === undefined ? undefined : writtenRecord(hold);
  return written !== undefined && sameJson(written, record);
}
