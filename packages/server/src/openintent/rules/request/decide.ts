/** Commands on questions about an intent. */

import type { Context } from "../../../kernel/context.ts";
import { accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { answerHold } from "../../../kernel/hold/answer.ts";
import { settleNeeds } from "../../../kernel/hold/settle.ts";
import { failure } from "../failure.ts";
import type { AnswerIntentRequest, AskAboutIntent } from "../intent/commands.ts";
import type { Intent } from "../intent/intent.ts";
import { begin } from "../intent/intent-log.ts";
import { may, whyNot } from "../intent/who.ts";
import type { Draft, Need, World } from "../world.ts";
import { requestAsk } from "./ask.ts";
import { placeRequest } from "./place.ts";
import { INTENT_REQUEST } from "./request.ts";

export const SETTINGS: Need = { kind: "workspace", id: "settings", read: true };

export function askNeeds({ request }: AskAboutIntent): readonly Need[] {
  return [SETTINGS, { kind: INTENT_REQUEST, id: request.id }];
}

/** Access may be asked for by somebody who has none. */
export function askAboutIntent(
  command: AskAboutIntent,
  intent: Intent,
  draft: Draft,
  context: Context,
): Reply {
  const { by, request, made } = command;
  const denied = request.type === "access" ? null : whyNot(intent, by, "write", context.now);
  if (denied !== null) return refuse(denied);
  const isStranger = !may(intent, by, "read", context.now);
  const question = { ask: requestAsk(request, isStranger ? { id: intent.id } : intent, by.name) };
  const placed = placeRequest(begin(intent, draft, context.now, by), request, question, by, made, context);
  return "code" in placed ? refuse(placed) : accept(intent.id);
}

export function answerNeeds({ requestId }: AnswerIntentRequest, world: World): readonly Need[] {
  const request = world.get("intent_request", requestId);
  const hold = request === undefined ? undefined : world.get("hold", request.holdId);
  return [
    SETTINGS,
    { kind: INTENT_REQUEST, id: requestId },
    ...(request === undefined ? [] : [{ kind: "hold", id: request.holdId } as const]),
    ...(hold?.status === "open" ? settleNeeds(hold, world) : []),
  ];
}

export function answerIntentRequest(
  command: AnswerIntentRequest,
  intent: Intent,
  draft: Draft,
  context: Context,
): Reply {
  const { workspace, by, requestId, type, action, data } = command;
  const request = draft.get("intent_request", requestId);
  if (request === undefined || request.intentId !== intent.id || request.type !== type)
    return refuse(failure("not_found", "There is no question with this id about this intent."));
  const { holdId } = request;
  const answer = { kind: "answer_hold", workspace, by, holdId, door: "openintent", action, data } as const;
  const reply = answerHold(answer, draft, context);
  if (reply.ok) return accept(intent.id);
  // The caller may read the intent, so a hold that it may not see becomes one that it may not answer.
  const { code } = reply.failure;
  return code === "not_found" || code === "not_entitled"
    ? refuse(
        failure("not_allowed", "this key may not answer questions about the intent; use an operator's key"),
      )
    : reply;
}
