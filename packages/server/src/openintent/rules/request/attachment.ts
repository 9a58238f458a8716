/** Holds attached to questions about intents. They end with their hold; the intent's access list guards them at every door. */

import type { AttachmentRules } from "../../../kernel/attachment.ts";
import type { Domain } from "../../../kernel/domain.ts";
import { must } from "../../../kernel/must.ts";
import { afterEndingNeeds, cancelAfterEnding } from "../after-ending.ts";
import { begin, changeIntent } from "../intent/intent-log.ts";
import { whyNot } from "../intent/who.ts";
import type { Draft, World } from "../world.ts";
import { requestNeeds } from "./needs.ts";
import { INTENT_REQUEST, requestFields, requestIdOf } from "./request.ts";
import { settleRequest } from "./settle.ts";
import { takeBack } from "./take-back.ts";

export const REQUEST_ATTACHMENT: AttachmentRules = {
  idOf: requestIdOf,
  fieldsOf: requestFields,
  isNamed: false,
  deadlineReason: "",
  placeNeeds: () => [],
  endNeeds(id, _hold, world: World) {
    const needs = requestNeeds(id, world);
    const request = world.get("intent_request", id);
    if (request?.type !== "checkpoint") return needs;
    const intent = world.get("intent", request.intentId);
    return intent === undefined ? needs : [...needs, ...afterEndingNeeds(intent, request.planId, world)];
  },
  claimNeeds: () => [],
  deadlineOf: () => undefined,
  whyNotAct(id, by, world: World, now) {
    const { request, intent } = found(id, world);
    // A link carries the access of the caller that issued it. The asker may withdraw the question, also without access.
    if (by.role === "reviewer" || request.askedBy === by.name) return null;
    return whyNot(intent, by, request.type === "access" ? "admin" : "write", now);
  },
  whyNotClaim: () => null,
  placed: () => null,
  notified: () => undefined,
  ended(id, hold, outcome, draft: Draft, by) {
    const request = settleRequest(id, hold, outcome, draft, by);
    if (request.type === "checkpoint")
      cancelAfterEnding(request.intentId, request.planId, outcome, draft, by);
  },
  revoked: takeBack,
  erased(id, _hold, draft: Draft, by, at) {
    const { request, intent } = found(id, draft);
    const { notes: _notes, resolution: _resolution, ...rest } = request;
    const body = { ...rest, reason: "", context: {} };
    changeIntent(begin(intent, draft, at, by), {}, [{ kind: INTENT_REQUEST, id, body }]);
  },
};

function found(id: string, world: World) {
  const request = must(world.get("intent_request", id), `question ${id}`);
  return { request, intent: must(world.get("intent", request.intentId), `the intent of question ${id}`) };
}

/** A domain of its own only because a hold's attachment names one. Its rows and commands are OpenIntent's. */
export const INTENT_REQUESTS = {
  kinds: {},
  commands: {},
  facts: {},
  attachment: REQUEST_ATTACHMENT,
} satisfies Domain;
