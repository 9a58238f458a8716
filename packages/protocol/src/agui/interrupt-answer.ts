/** Payload of a resume ↔ answer to a hold. The same answer means the same through every door. */

import type { Decided, Default, Hold } from "../client/index.ts";
import {
  type Answer,
  asksForValue,
  isGranting,
  isObject,
  type Json,
  type JsonObject,
  member,
  sameAnswer,
  sameJson,
} from "../rules/index.ts";
import { bareAnswer, barePayload, isBareApproval } from "./bare-answer.ts";
import { interruptOf, isMarked } from "./interrupt-ask.ts";
import type { ResumeEntry } from "./types.ts";
import { wholeData, wholePayload } from "./whole-payload.ts";

export type PayloadReading =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** What the agent is told. */
export type InterruptAnswer =
  | {
      readonly status: "resolved";
      readonly interruptId: string;
      readonly payload: Json;
      /** Whether the agent may go on as proposed. */
      readonly approved: boolean;
      readonly by: Decided["by"];
      readonly door: string;
    }
  | {
      readonly status: "cancelled";
      readonly interruptId: string;
      /** Nobody answered in time; `default` is what the ask said should then be done. */
      readonly expired: boolean;
      readonly default?: Default;
    };

/** The payload as an answer to this hold. Whether it fits the schema is judged besides. */
export function answerOf(hold: Hold, payload: Json | undefined): PayloadReading {
  switch (hold.type) {
    case "approval":
      return isMarked(hold, "bare") ? { ok: true, answer: bareAnswer(payload) } : approvalOf(payload);
    case "confirmation":
      return confirmationOf(payload);
    case "escalation":
      return escalationOf(payload);
    case "selection":
      return ok("select", isObject(payload) ? payload : { selected: asList(payload) });
    default:
      return ok("submit", dataOf(hold, payload));
  }
}

function approvalOf(payload: Json | undefined): PayloadReading {
  if (!isObject(payload) || typeof member(payload, "approved") !== "boolean") {
    return wrong("/approved", "must be true or false");
  }
  const { approved, editedArgs, ...rest } = payload;
  const edited = editedArgs === undefined ? {} : { edited_args: editedArgs };
  return ok(approved === true ? "approve" : "reject", { ...rest, ...edited });
}

function confirmationOf(payload: Json | undefined): PayloadReading {
  if (typeof payload === "boolean") return ok(payload ? "confirm" : "cancel", {});
  const { confirmed, approved, ...rest } = isObject(payload) ? payload : {};
  const yes = confirmed ?? approved;
  if (typeof yes !== "boolean") return wrong("/confirmed", "must be true or false");
  return ok(yes ? "confirm" : "cancel", rest);
}

function escalationOf(payload: Json | undefined): PayloadReading {
  if (typeof payload === "string") return ok(payload, {});
  const { action, ...rest } = isObject(payload) ? payload : {};
  return typeof action === "string" ? ok(action, rest) : wrong("/action", "must be given");
}

function dataOf(hold: Hold, payload: Json | undefined): JsonObject {
  const { responseSchema } = hold;
  if (payload === undefined) return {};
  if (isMarked(hold, "wrapped")) return { value: payload };
  if (isFreeText(hold)) return wholeData(payload);
  const isValue = responseSchema !== undefined && asksForValue(responseSchema);
  return isObject(payload) && !isValue ? payload : { value: payload };
}

/** Asked with neither schema nor form: any JSON answers it, and none of it is an approval. */
function isFreeText({ type, responseSchema, form }: Hold): boolean {
  return type === "input" && responseSchema === undefined && form === undefined;
}

function asList(payload: Json | undefined): readonly Json[] {
  if (payload === undefined) return [];
  return Array.isArray(payload) ? payload : [payload as Json];
}

function ok(action: string, data: JsonObject): PayloadReading {
  return { ok: true, answer: { action, data } };
}

function wrong(path: string, message: string): PayloadReading {
  return { ok: false, path, message };
}

/** What became of a settled hold, in the agent's words; null while it is open. */
export function interruptAnswerOf(hold: Hold): InterruptAnswer | null {
  const { outcome, id: interruptId } = hold;
  if (outcome === undefined) return null;
  if (outcome.kind !== "decided") {
    const expired = outcome.kind === "expired";
    const fallback = expired ? outcome.default : undefined;
    return {
      status: "cancelled",
      interruptId,
      expired,
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  }
  const approved = isApproval(hold, outcome);
  const { by, door } = outcome;
  return { status: "resolved", interruptId, payload: payloadOf(hold, outcome), approved, by, door };
}

/** An approval that counts: given, about what was asked, and not taken back. */
function isApproval(hold: Hold, outcome: Decided): boolean {
  if (hold.revoked !== undefined) return false;
  if (isMarked(hold, "bare")) return isBareApproval(outcome);
  return isGranting({ type: hold.type }, outcome.action) && !isFreeText(hold);
}

function payloadOf(hold: Hold, decided: Decided): Json {
  const { action, data } = decided;
  // An approval that was taken back approves nothing any more (G14).
  const isValid = hold.revoked === undefined;
  switch (hold.type) {
    case "approval": {
      if (isMarked(hold, "bare")) return isValid && barePayload(decided);
      // Nothing in the data may stand for the decision or for arguments that nobody has checked (G14).
      const { edited_args: editedArgs, approved: _approved, editedArgs: _unchecked, ...rest } = data;
      const approved = isValid && action === "approve";
      return { approved, ...(editedArgs === undefined ? {} : { editedArgs }), ...rest };
    }
    case "confirmation": {
      const schema = interruptOf(hold)?.responseSchema;
      const confirmed = isValid && action === "confirm";
      if (schema !== undefined && member(schema, "type") === "boolean") return confirmed;
      const { confirmed: _confirmed, approved: _approved, ...rest } = data;
      return { confirmed, ...rest };
    }
    case "escalation": {
      const { action: _action, ...rest } = data;
      return { action, ...rest };
    }
    case "selection":
      return data;
    default:
      if (isFreeText(hold)) return wholePayload(data);
      return isMarked(hold, "wrapped") ||
        (hold.responseSchema !== undefined && asksForValue(hold.responseSchema))
        ? (member(data, "value") ?? null)
        : data;
  }
}

/** Whether an entry repeats what the hold already knows; an expired one takes nothing but being abandoned. */
export function repeats(entry: ResumeEntry, hold: Hold): boolean {
  const { outcome } = hold;
  if (outcome === undefined) return false;
  if (outcome.kind !== "decided") return entry.status === "cancelled";
  if (entry.status === "cancelled") return false;
  const read = answerOf(hold, entry.payload);
  return read.ok && sameAnswer(withoutEmpty(read.answer), withoutEmpty(outcome));
}

/**
 * Whether an entry agrees with how the hold was settled, perhaps through another door: the same decision, whatever words or
 * changes came with the one that counts.
 */
export function agrees(entry: ResumeEntry, hold: Hold): boolean {
  const { outcome } = hold;
  if (repeats(entry, hold)) return true;
  if (outcome?.kind !== "decided" || !isDecision(hold) || entry.status === "cancelled") return false;
  const isYes = isApproval(hold, outcome);
  const read = answerOf(hold, entry.payload);
  if (!read.ok || isGranting({ type: hold.type }, read.answer.action) !== isYes) return false;
  // A person who wants other arguments than those that were approved does not agree.
  const wanted = read.answer.data["edited_args"];
  return wanted === undefined || sameJson(wanted, outcome.data["edited_args"]);
}

/** A yes or a no, and not something that people say in many ways. */
function isDecision({ type }: Hold): boolean {
  return type === "approval" || type === "confirmation";
}

/** Empty texts mean nothing was said; the server does not keep them. */
function withoutEmpty({ action, data }: Answer): Answer {
  const said = Object.entries(data).filter(([, value]) => value !== "" && value !== null);
  return { action, data: Object.fromEntries(said) };
}
