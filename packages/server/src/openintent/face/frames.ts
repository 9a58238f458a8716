/**
 * Writes events as frames of a stream. The two families of addresses use different event names: those that clients listen for,
 * and those of the log, which the reference server sends. The data is the same for both, and flat.
 */

import { isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
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

/** One frame for each event, so that each has its own id and a client that reconnects misses none and repeats none. */
export function frameOf({ event, payload }: ReadEvent<StoredEvent>, family: Family): Frame {
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
  return { id, event: family === "client" ? clientName(event.type, told) : event.type, data };
}

/**
 * The end of the work has a name of its own. Sending it as a change of status too would make the reference client's agents
 * run their completion handlers twice.
 */
function clientName(type: string, told: JsonObject): string {
  if (type === "status_changed" && told["new_status"] === "completed") return "INTENT_COMPLETED";
  return member(CLIENT_NAMES, type) ?? type;
}

function more(type: string, told: JsonObject): JsonObject {
  if (type === "state_patched") return { old_state: {}, new_state: touched(told) };
  return OF_SUSPENSION.test(type) && typeof told["suspension_id"] === "string"
    ? { id: told["suspension_id"] }
    : {};
}

/** The values that the patches wrote, at their paths. The log does not have the values before. */
function touched({ patches }: JsonObject): JsonObject {
  const written = Array.isArray(patches) ? patches.filter(isObject).filter(({ op }) => op !== "remove") : [];
  // The log holds only patches that were checked when they were applied.
  const patched = applyPatches({}, written as unknown as readonly Patch[]);
  return "state" in patched ? patched.state : {};
}
