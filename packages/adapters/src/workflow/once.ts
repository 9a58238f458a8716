/** Something an approval allows, done once: claimed on its hold before it runs, reported after (G10). */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import {
  type ClaimClient,
  type ClientSource,
  holdClientOf,
  type OutstandingReport,
  tryOnce,
} from "@holdpoint/protocol/client";
import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";

/** An earlier process began and never reported: a person has to look, and releases the claim. */
export class ExecutionUnknown extends Error {
  override readonly name = "ExecutionUnknown";
  readonly holdId: string;

  constructor(holdId: string) {
    super(
      `An earlier run may have executed what ${holdId} allows. Find out whether it did; if not, release its claim.`,
    );
    this.holdId = holdId;
  }
}

export type OnceOutcome<Result> =
  | {
      readonly kind: "executed";
      readonly result: Result;
      /** The work ran, but the server could not be told so; send it again with `retry()`. */
      readonly outstanding?: OutstandingReport;
    }
  /** Denied, abandoned, expired, or taken back. */
  | { readonly kind: "not_allowed" };

/**
 * Runs `work` if the answer approves it, and never twice; a repeat gets the recorded result. A person may approve
 * with changed arguments: `work` is given them, and is not run if it declares no parameter to take them (G14).
 */
export async function executeOnce<Result extends Json>(
  holdpoint: ClientSource<ClaimClient>,
  answer: InterruptAnswer,
  work: (editedArgs: JsonObject | undefined) => Promise<Result> | Result,
): Promise<OnceOutcome<Result>> {
  if (answer.status === "cancelled" || !answer.approved) return { kind: "not_allowed" };
  const edited = isObject(answer.payload) ? member(answer.payload, "editedArgs") : undefined;
  const editedArgs = isObject(edited) ? edited : undefined;
  if (edited !== undefined && (editedArgs === undefined || work.length === 0)) return { kind: "not_allowed" };
  const takesEdits = editedArgs === undefined ? [] : (["edited_args"] as const);
  const attempt = await tryOnce(holdClientOf(holdpoint), answer.interruptId, () => work(editedArgs), {
    takesEdits,
  });
  switch (attempt.kind) {
    case "failed":
      throw attempt.error;
    case "refused":
      if (["not_claimable", "edited_args"].includes(attempt.refusal.code)) return { kind: "not_allowed" };
      throw new ExecutionUnknown(answer.interruptId);
    case "recorded":
      return { kind: "executed", result: attempt.result };
    case "ran": {
      const { result, outstanding } = attempt;
      return { kind: "executed", result, ...(outstanding === undefined ? {} : { outstanding }) };
    }
  }
}
