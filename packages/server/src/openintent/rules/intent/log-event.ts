/** Events that clients write into an intent's log themselves. */

import { type JsonObject, member } from "@holdpoint/protocol/rules";
import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Draft, Need, World } from "../world.ts";
import type { LogEvent } from "./commands.ts";
import { EVENT_TYPES, RESERVED_EVENTS, TOLD_BY_SERVER } from "./event-types.ts";
import { type Intent, openSuspension, suspensionLogId } from "./intent.ts";
import { append, begin, type Entry } from "./intent-log.ts";
import { actorOf, whyNot } from "./who.ts";

/** An event about a suspension is kept with it. */
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
  const denied = whyNot(intent, by, "write", now) ?? whyNotSaid(type);
  if (denied !== null) return refuse(denied);
  const tells = TOLD_BY_SERVER.has(type) ? ownEntry(intent, type, payload, draft) : undefined;
  if (tells !== undefined && "code" in tells) return refuse(tells);
  append(begin(intent, draft, now, by), {
    type,
    payload,
    ...(claimedActor === undefined || claimedActor === actorOf(by) ? {} : { claimedActor }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(parentEventId === undefined ? {} : { parentEventId }),
    ...(tells === undefined ? {} : { tells }),
  });
  return accept(intent.id);
}

function whyNotSaid(type: string): Failure | null {
  if (!EVENT_TYPES.has(type)) {
    return failure(
      "unknown_event_type",
      "no client could read an event of this name; comment is there for your own words",
    );
  }
  return RESERVED_EVENTS.has(type) ? failure("not_allowed", `${type} is told by the server alone`) : null;
}

/** What is told once is told once: the second teller is shown the first one's event. */
function ownEntry(
  intent: Intent,
  type: string,
  payload: JsonObject,
  world: World,
): NonNullable<Entry["tells"]> | Failure {
  const suspensionId = suspensionNamed(payload);
  const log =
    suspensionId === undefined
      ? undefined
      : world.get("suspension_log", suspensionLogId(intent.id, suspensionId));
  const attempt = member(payload, "attempt");
  const as = type === "intent.suspended" ? type : `${type} ${typeof attempt === "number" ? attempt : ""}`;
  const seq = log?.told[as];
  if (seq !== undefined)
    return failure("already_told", "the server has told this already", { detail: { seq } });
  const open = openSuspension(intent);
  if (open === undefined || open.id !== suspensionId || type === "intent.suspended") {
    return failure("not_suspended", "this tells of a suspension that is not there", {
      detail: { status: intent.status },
    });
  }
  return { suspensionId: open.id, holdId: open.holdId, as };
}
