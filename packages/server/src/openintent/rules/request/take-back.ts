/** An approval that was revoked reads as denied, and no completion counts it any more (G14). */

import { type Failure, failure } from "../../../kernel/failure.ts";
import { must } from "../../../kernel/must.ts";
import { mayOperate, type Principal } from "../../../kernel/principal.ts";
import { append, begin } from "../intent/intent-log.ts";
import type { Draft } from "../world.ts";
import { INTENT_REQUEST, type IntentRequest } from "./request.ts";

const TAKEN_BACK = "The approval was taken back.";

export function takeBack(id: string, draft: Draft, by: Principal, at: number): Failure | null {
  const request = must(draft.get("intent_request", id), `question ${id}`);
  const intent = must(draft.get("intent", request.intentId), `the intent of question ${id}`);
  if (request.type !== "approval") return failure("not_claimable", whyFinal(request));
  const { action, version = intent.version, decidedBy: _approver, ...rest } = request;
  const isComplete = action === "complete";
  if (isComplete && intent.status === "completed")
    return failure("claim_taken", "the intent was completed before the approval was revoked");
  // An agent may give up its own approval, and is no decider (G5).
  const isDecider = mayOperate(by);
  const body: IntentRequest = {
    ...rest,
    action,
    status: "denied",
    endedAt: at,
    notes: TAKEN_BACK,
    ...(isDecider ? { decidedBy: by.name } : {}),
  };
  const approvals = (intent.completion?.approvals ?? []).filter((other) => other.id !== id);
  append(begin(intent, draft, at, by), {
    type: "governance.approval_denied",
    payload: { approval_id: id, action, ...(isDecider ? { decided_by: by.name } : {}) },
    ...(isComplete ? { change: { completion: { approvals, denied: { id, version } } } } : {}),
    also: [{ kind: INTENT_REQUEST, id, body }],
  });
  return null;
}

function whyFinal({ type }: IntentRequest): string {
  return type === "access"
    ? "the access was given when the request was approved; remove the entry from the intent's access list instead"
    : "the intent has followed this answer since it was given, so the answer cannot be revoked; ask again instead";
}
