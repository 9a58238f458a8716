/**
 * The body of a guarded tool.
 *
 * T1  It runs only for a call that its run was given a decision for: an approval in a client's history or request is none, and neither
 *     is one of another tool under the same id.
 * T2  It runs with the arguments that were approved, after the claim on its hold, and once (G10).
 * T3  Nothing of ours is thrown into the framework, which would show it to the model: the model gets a plain notice.
 */

import { type OnceAttempt, tryOnce, warnOutstanding } from "@holdpoint/protocol/client";
import { type JsonObject, sameJson } from "@holdpoint/protocol/rules";
import { ExecutionUnknown } from "../workflow/once.ts";
import type { CallDecision, ToolCall } from "./call.ts";
import { type CurrentRun, currentRun } from "./current.ts";
import { asJson } from "./json.ts";
import {
  EDITED,
  FAILED_BEFORE,
  NO_APPROVAL,
  NOT_NOW,
  OTHER_ARGUMENTS,
  OUTCOME_UNKNOWN,
  WITHDRAWN_APPROVAL,
} from "./notices.ts";

export type GuardedResult<Result> =
  | {
      readonly kind: "ran";
      readonly result: Result;
      /** Set when a person changed the arguments: what the model is told besides the result. */
      readonly edited?: { readonly notice: string; readonly arguments: JsonObject };
    }
  | { readonly kind: "refused"; readonly notice: string };

/** `args` are what the framework wants to run, as the decision knows them: `work` may be given others. */
export async function runGuarded<Result>(
  call: ToolCall,
  work: (args: JsonObject, isEdited: boolean) => Promise<Result> | Result,
): Promise<GuardedResult<Result>> {
  const run = currentRun();
  const decision = run?.decisions.get(call.id);
  if (run === undefined || decision === undefined) return refused(NO_APPROVAL);
  if (run.halted !== undefined) return refused(OUTCOME_UNKNOWN);
  if (decision.kind === "refused") return refused(decision.notice);
  if (decision.tool !== call.tool) return refused(NO_APPROVAL);
  const isAsProposed = sameJson(asJson(call.args), decision.proposed);
  // A framework that edits natively hands over the changed arguments.
  if (!isAsProposed && !sameJson(asJson(call.args), decision.args)) return refused(OTHER_ARGUMENTS);
  return runDecided(run, decision, work);
}

async function runDecided<Result>(
  run: CurrentRun,
  { args, isEdited, holdId }: Extract<CallDecision, { kind: "run" }>,
  work: (args: JsonObject, isEdited: boolean) => Promise<Result> | Result,
): Promise<GuardedResult<Result>> {
  if (holdId === undefined) return { kind: "ran", result: await work(args, isEdited) };
  let attempt: OnceAttempt<Result>;
  try {
    attempt = await tryOnce(run.client, holdId, () => work(args, isEdited), { takesEdits: ["edited_args"] });
  } catch (error) {
    // The server cannot be reached or refuses the caller: the call keeps its approval, and the run tries again later.
    run.halted = error instanceof Error ? error : new Error(String(error));
    return refused(NOT_NOW);
  }
  switch (attempt.kind) {
    case "failed":
      throw attempt.error;
    case "ran":
    case "recorded":
      if (attempt.kind === "ran" && attempt.outstanding !== undefined)
        warnOutstanding(holdId)(attempt.outstanding);
      return {
        kind: "ran",
        result: attempt.result,
        ...(isEdited ? { edited: { notice: EDITED, arguments: args } } : {}),
      };
    case "refused":
      if (["not_claimable", "edited_args"].includes(attempt.refusal.code)) return refused(WITHDRAWN_APPROVAL);
      if (attempt.claim?.state === "failed") return refused(FAILED_BEFORE);
      run.halted = new ExecutionUnknown(holdId);
      return refused(OUTCOME_UNKNOWN);
  }
}

function refused(notice: string): Extract<GuardedResult<never>, { kind: "refused" }> {
  return { kind: "refused", notice };
}
