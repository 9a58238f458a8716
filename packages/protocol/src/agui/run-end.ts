/** The end of a run, read from either form and written in either. */

import { isObject, type Json, type JsonObject, member } from "../rules/index.ts";
import type { AgUiEvent, DraftInterrupt, Interrupt, InterruptForm, RunEnd } from "./types.ts";

export interface RunNames {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Reads a RUN_FINISHED event. Without an outcome it was an interrupt if there is one, and a success otherwise (AG-002).
 * A draft interrupt without an id gets the empty one: the resume may then leave it out.
 */
export function readRunEnd(event: AgUiEvent): RunEnd {
  const outcome = event["outcome"];
  if (isObject(outcome)) return releasedEnd(outcome, event);
  const draft = event["interrupt"];
  if (outcome === "interrupt" || (outcome == null && isObject(draft))) {
    return { kind: "interrupt", interrupts: [interruptOfDraft(isObject(draft) ? draft : {})] };
  }
  return success(event);
}

function releasedEnd(outcome: JsonObject, event: AgUiEvent): RunEnd {
  const type = member(outcome, "type");
  if (type === "cancelled") return { kind: "cancelled" };
  if (type !== "interrupt") return success(event, member(outcome, "pendingToolCallIds"));
  return { kind: "interrupt", interrupts: (member(outcome, "interrupts") ?? []) as Interrupt[] };
}

function success(event: AgUiEvent, pending?: Json): RunEnd {
  const result = event["result"] as Json | undefined;
  return {
    kind: "success",
    ...(result === undefined || result === null ? {} : { result }),
    ...(Array.isArray(pending) ? { pendingToolCallIds: pending as readonly string[] } : {}),
  };
}

/**
 * Writes a RUN_FINISHED event. The draft knows one interrupt a run, so the first is shown and the others wait (AG-089);
 * `declares` says that the peer is known to understand what 1.0 added (AG-028).
 */
export function writeRunEnd(end: RunEnd, form: InterruptForm, names: RunNames, declares: boolean): AgUiEvent {
  const { threadId, runId } = names;
  if (end.kind === "cancelled" && !(declares && form === "released")) {
    return { type: "RUN_ERROR", code: "RUN_CANCELLED", message: "The run was stopped." };
  }
  const head = { type: "RUN_FINISHED", threadId, runId };
  switch (end.kind) {
    case "cancelled":
      return { ...head, outcome: { type: "cancelled" } };
    case "success": {
      const pending = declares && end.pendingToolCallIds !== undefined && end.pendingToolCallIds.length > 0;
      const released = {
        type: "success",
        ...(pending ? { pendingToolCallIds: end.pendingToolCallIds } : {}),
      };
      const result = end.result === undefined ? {} : { result: end.result };
      return { ...head, outcome: form === "draft" ? "success" : released, ...result };
    }
    case "interrupt": {
      if (form === "released") return { ...head, outcome: { type: "interrupt", interrupts: end.interrupts } };
      const [first] = end.interrupts;
      return { ...head, outcome: "interrupt", interrupt: first === undefined ? {} : draftOf(first) };
    }
  }
}

/** The same interrupt in the draft's shape: what the released form names is inside the payload (AG-086). */
export function draftOf(
  interrupt: Interrupt,
): DraftInterrupt & { readonly id: string; readonly payload: Json } {
  const { id, reason, metadata = {}, message, toolCallId, responseSchema, expiresAt } = interrupt;
  const shown = member(metadata, "payload");
  return {
    id,
    reason,
    payload: {
      ...(isObject(shown) ? shown : shown === undefined ? {} : { value: shown }),
      ...(message === undefined ? {} : { message }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(responseSchema === undefined ? {} : { responseSchema }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  };
}

function interruptOfDraft(draft: JsonObject): Interrupt {
  const [id, reason, payload] = [member(draft, "id"), member(draft, "reason"), member(draft, "payload")];
  const inside = isObject(payload) ? payload : {};
  const text = (name: string) => {
    const value = member(inside, name);
    return typeof value === "string" ? { [name]: value } : {};
  };
  const schema = member(inside, "responseSchema");
  return {
    id: typeof id === "string" ? id : "",
    reason: typeof reason === "string" ? reason : "unknown",
    ...text("message"),
    ...text("toolCallId"),
    ...text("expiresAt"),
    ...(isObject(schema) ? { responseSchema: schema } : {}),
    ...(payload === undefined ? {} : { metadata: { payload } }),
  };
}

/** Equal to now counts as expired (AG-041); a time nobody can read expires nothing. */
export function isExpired({ expiresAt }: Pick<Interrupt, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
