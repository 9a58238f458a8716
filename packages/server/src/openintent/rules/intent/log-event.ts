/** Events that clients write to an intent's log. */

import { type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft, Need, World } from "../world.ts";
import type { LogEvent } from "./commands.ts";
import { EVENT_TYPES, LOGGED_BY_SERVER, RESERVED_EVENTS } from "./event-types.ts";
import { type Intent, openSuspension, suspensionLogId } from "./intent.ts";
import { append, begin, type Entry } from "./intent-log.ts";
import { whyLogFull } from "./suspension-log.ts";
import { actorOf, whyNot } from "./who.ts";

/** An event about a suspension is stored with that suspension. */
export function logEventNeeds(command: LogEvent): readonly Need[] {
  const id = suspensionNamed(command.payload);
  return id === undefined ? [] : [{ kind: "suspension_log", id: suspensionLogId(command.intentId, id) }];
}

function suspensionNamed(payload: JsonObject): string | undefined {
  const id = member(payload, "suspension_id");
  return typeof id === "string" && id.length <= 200 ? id : undefined;
}

export function logEvent(command: LogEvent, intent: Intent, draft: Draft, { now }: Context): Reply {
  const { type, payload, claimedActor, traceId, parentEventId, by } = command;
  const denied = whyNot(intent, by, "write", now) ?? whyNotLogged(type);
  if (denied !== null) return refuse(denied);
  const loggedOnce = LOGGED_BY_SERVER.has(type) ? ownEntry(intent, type, payload, draft) : undefined;
  if (loggedOnce !== undefined && "code" in loggedOnce) return refuse(loggedOnce);
  append(begin(intent, draft, now, by), {
    type,
    payload,
    // Always there, so that verification can tell what a client wrote from what the server did.
    claimedActor: claimedActor ?? actorOf(by),
    ...(traceId === undefined ? {} : { traceId }),
    ...(parentEventId === undefined ? {} : { parentEventId }),
    ...(loggedOnce === undefined ? {} : { loggedOnce }),
  });
  return accept(intent.id);
}

function whyNotLogged(type: string): Failure | null {
  if (!EVENT_TYPES.has(type)) {
    return failure(
      "unknown_event_type",
      "OpenIntent has no event type with this name; use comment for free text",
    );
  }
  return RESERVED_EVENTS.has(type) ? failure("not_allowed", `only the server may log ${type}`) : null;
}

/** Deduplicates events that are logged once. A repeat gets the sequence number of the first event. */
function ownEntry(
  intent: Intent,
  type: string,
  payload: JsonObject,
  world: World,
): NonNullable<Entry["loggedOnce"]> | Failure {
  const suspensionId = suspensionNamed(payload);
  const log =
    suspensionId === undefined
      ? undefined
      : world.get("suspension_log", suspensionLogId(intent.id, suspensionId));
  const attempt = member(payload, "attempt");
  const as = type === "intent.suspended" ? type : `${type} ${typeof attempt === "number" ? attempt : ""}`;
  const seq = log?.told[as];
  if (seq !== undefined)
    return failure("already_told", "this event is already in the log", { detail: { seq } });
  const open = openSuspension(intent);
  if (open === undefined || open.id !== suspensionId || type === "intent.suspended") {
    return failure("not_suspended", "the event names a suspension that is not open", {
      detail: { status: intent.status },
    });
  }
  return whyLogFull(intent, open.id, world) ?? { suspensionId: open.id, holdId: open.holdId, as };
}
