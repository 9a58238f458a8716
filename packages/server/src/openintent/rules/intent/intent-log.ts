/**
 * The changes that one command makes to an intent: each `append` logs one entry and returns the intent after it. Content
 * about a suspension is collected in the suspension's own row.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../../../kernel/principal.ts";
import type { Ending } from "../portfolio/watch.ts";
import type { Change, Draft } from "../world.ts";
import type { IntentFact, LogEntry } from "./facts.ts";
import type { Intent, IntentStatus } from "./intent.ts";
import { withPayload } from "./suspension-log.ts";
import { actorOf } from "./who.ts";

export interface IntentLog {
  readonly intent: Intent;
  readonly at: number;
  readonly actor: string;
  readonly draft: Draft;
}

export function begin(intent: Intent, draft: Draft, at: number, by: Principal): IntentLog {
  return { intent, at, actor: actorOf(by), draft };
}

/** Raises the version that clients see, once per command, however many entries follow. */
export function nextVersion(intentLog: IntentLog): IntentLog {
  const { intent, at } = intentLog;
  return { ...intentLog, intent: { ...intent, version: intent.version + 1, updatedAt: at } };
}

export interface Entry extends LogEntry {
  /** The fields of the intent that change with this entry. */
  readonly change?: Partial<Intent>;
  readonly also?: readonly Change[];
  /** The entry belongs to this suspension. `as` is its deduplication key. */
  readonly loggedOnce?: { readonly suspensionId: string; readonly holdId: string; readonly as: string };
}

export function append(intentLog: IntentLog, given: Entry): IntentLog {
  const { change, also = [], loggedOnce, ...entry } = given;
  const logged = intentLog.intent.logged + 1;
  const intent: Intent = { ...intentLog.intent, ...change, logged };
  const suspensionId = loggedOnce?.suspensionId ?? entry.keptWith;
  const kept =
    suspensionId === undefined ? [] : [withPayload(intent, suspensionId, logged, given, intentLog.draft)];
  state(intent, intentLog, {
    type: "intent.logged",
    intent,
    entry: suspensionId === undefined ? entry : { ...entry, keptWith: suspensionId },
    also: [...also, ...kept],
  });
  return { ...intentLog, intent };
}

/** A change of the intent, or of rows beside it, that the log does not record. */
export function changeIntent(
  intentLog: IntentLog,
  change: Partial<Intent>,
  also: readonly Change[] = [],
): IntentLog {
  const intent: Intent = { ...intentLog.intent, ...change };
  state(intent, intentLog, { type: "intent.changed", intent, also });
  return { ...intentLog, intent };
}

function state(intent: Intent, { at, actor, draft }: IntentLog, fact: IntentFact): void {
  draft.state({ kind: "intent", id: intent.id, fact, at, actor, audience: intent.createdBy });
}

export interface StatusDetails {
  readonly reason?: string;
  /** Additional payload members. */
  readonly payload?: JsonObject;
  readonly change?: Partial<Intent>;
  /** How the suspension ended, if this change ends one. */
  readonly ending?: Ending;
}

/** Logs the status change only; `moveTo` also applies its effects. `blockedBy` is cleared. */
export function logStatus(intentLog: IntentLog, to: IntentStatus, more: StatusDetails = {}): IntentLog {
  const { blockedBy: _before, ...intent } = intentLog.intent;
  const from = intent.status;
  const { reason, payload = {} } = more;
  return append(
    { ...intentLog, intent },
    {
      type: "status_changed",
      payload: {
        from,
        to,
        status: to,
        old_status: from,
        new_status: to,
        version: intent.version,
        ...(reason === undefined ? {} : { reason }),
        ...payload,
      },
      change: { ...more.change, status: to },
    },
  );
}
