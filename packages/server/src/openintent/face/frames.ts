/**
 * Events as stream frames. Two families of addresses, two sets of names: clients listen for names of their own, servers of
 * the reference send the log's. The data is the same, and flat.
 */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { isObject } from "@holdpoint/protocol/rules";
import type { Frame } from "../../faces/http/sse.ts";
import type { StoredEvent } from "../../kernel/record.ts";
import type { ReadEvent } from "../reads/intent-log.ts";
import { applyPatches, type Patch } from "../rules/intent/patch.ts";
import { eventIdOf, intentIdOf } from "../rules/intent/served.ts";

export type Family = "client" | "log";

const CLIENT_NAMES: Readonly<Record<string, string>> = {
  agent_assigned: "AGENT_ASSIGNED",
  status_changed: "STATUS_CHANGED",
  state_patched: "STATE_CHANGED",
  lease_acquired: "LEASE_ACQUIRED",
  lease_released: "LEASE_RELEASED",
  "task.escalated": "ESCALATION_REQUIRED",
};

const OF_SUSPENSION = /^intent\.(?:suspen|resumed)/;

/** One event is one frame, except that a client also listens for the end of the work under its own name. */
export function framesOf({ event, payload }: ReadEvent<StoredEvent>, family: Family): readonly Frame[] {
  const intentId = intentIdOf(event.stream);
  const id = eventIdOf(intentId, event.seq);
  const told = payload.kind === "there" ? payload.payload : {};
  const data: JsonObject = {
    ...told,
    ...more(event.type, told),
    intent_id: intentId,
    event_id: id,
    event_type: event.type,
    sequence: event.seq,
  };
  const name = family === "client" ? (CLIENT_NAMES[event.type] ?? event.type) : event.type;
  const frames: Frame[] = [{ id, event: name, data }];
  if (family === "client" && told["new_status"] === "completed")
    frames.push({ id, event: "INTENT_COMPLETED", data });
  return frames;
}

function more(type: string, told: JsonObject): JsonObject {
  if (type === "state_patched") return { old_state: {}, new_state: touched(told) };
  return OF_SUSPENSION.test(type) && typeof told["suspension_id"] === "string"
    ? { id: told["suspension_id"] }
    : {};
}

/** What was written, in its places; what was there before is not in the log. */
function touched({ patches }: JsonObject): JsonObject {
  const written = Array.isArray(patches) ? patches.filter(isObject).filter(({ op }) => op !== "remove") : [];
  // The log holds only patches that were checked when they were applied.
  const patched = applyPatches({}, written as unknown as readonly Patch[]);
  return "state" in patched ? patched.state : {};
}
