/** Operations on suspensions: ask, answer, cancel. */

import { IfMatch, IntentParams } from "../wire/base.ts";
import { IntentOut } from "../wire/intent.ts";
import { CancelIn, RespondIn, RespondOut, RespondPendingOut, SuspendIn } from "../wire/suspension.ts";
import { BODY, FOUND, INTENT, operation } from "./shared.ts";

const tag = "suspensions";

export const suspensionOperations = {
  suspendIntent: operation({
    id: "suspendIntent",
    method: "POST",
    path: `${INTENT}/suspend`,
    tag,
    summary: "Suspend an intent with a question, in one commit",
    description: "The same record sent again finds the same suspension, answered or not.",
    params: IntentParams,
    headers: IfMatch,
    body: SuspendIn,
    replies: { 200: IntentOut },
    errors: [
      ...FOUND,
      ...BODY,
      "version_conflict",
      "invalid_record",
      "intent_suspended",
      "invalid_transition",
      "dependencies_incomplete",
    ],
  }),

  respondToSuspension: operation({
    id: "respondToSuspension",
    method: "POST",
    path: `${INTENT}/suspend/respond`,
    tag,
    summary: "Answer a suspended intent's question",
    params: IntentParams,
    headers: IfMatch,
    body: RespondIn,
    replies: { 200: RespondOut, 202: RespondPendingOut },
    errors: [
      ...FOUND,
      ...BODY,
      "version_conflict",
      "not_suspended",
      "already_resolved",
      "suspension_expired",
      "suspension_mismatch",
      "invalid_choice",
      "invalid_value",
    ],
  }),

  cancelSuspension: operation({
    id: "cancelSuspension",
    method: "POST",
    path: `${INTENT}/suspend/cancel`,
    tag,
    summary: "Take a question back; the intent goes on",
    params: IntentParams,
    body: CancelIn,
    replies: { 200: IntentOut },
    errors: [
      ...FOUND,
      ...BODY,
      "not_suspended",
      "already_resolved",
      "suspension_expired",
      "suspension_mismatch",
    ],
  }),
};
