/** Something an approval allows, done once: claimed on its hold before it runs, reported after (G10). */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { type Claim, type HoldClient, isRefusal } from "@holdpoint/protocol/client";
import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";

/** An earlier process began and never reported: a person has to look, and releases the claim. */
export class ExecutionUnknown extends Error {
  override readonly name = "ExecutionUnknown";
  readonly holdId: string;

  constructor(holdId: string) {
    super(`an earlier run may have executed what ${holdId} allows`);
    this.holdId = holdId;
  }
}

export type OnceOutcome<Result> =
  | { readonly kind: "executed"; readonly result: Result }
  /** Denied, abandoned, expired, or taken back. */
  | { readonly kind: "not_allowed" };

/**
 * Runs `work` if the answer approves it, and never twice; whoever repeats it is given the recorded result. A person may approve
 * with changed arguments: `work` is given them, and is not run if it declares no parameter to take them (G14).
 */
export async function executeOnce<Result extends Json>(
  holdpoint: HoldClient,
  answer: InterruptAnswer,
  work: (editedArgs: JsonObject | undefined) => Promise<Result> | Result,
): Promise<OnceOutcome<Result>> {
  if (answer.status === "cancelled" || !answer.approved) return { kind: "not_allowed" };
  const edited = isObject(answer.payload) ? member(answer.payload, "editedArgs") : undefined;
  const editedArgs = isObject(edited) ? edited : undefined;
  if (edited !== undefined && (editedArgs === undefined || work.length === 0)) return { kind: "not_allowed" };
  const hold = await holdpoint.get(answer.interruptId);
  if (hold.claim?.state === "done") {
    return { kind: "executed", result: member(hold.claim.detail ?? {}, "result") as Result };
  }
  const claim = await claimed(holdpoint, hold.id, hold.digest);
  if (claim === null) return { kind: "not_allowed" };
  let result: Result;
  try {
    result = await work(editedArgs);
  } catch (error) {
    // What went wrong may hold secrets, so only that it did is reported.
    await holdpoint.finishClaim(hold.id, claim.id, { ok: false });
    throw error;
  }
  await holdpoint.finishClaim(hold.id, claim.id, { ok: true, detail: { result } });
  return { kind: "executed", result };
}

async function claimed(holdpoint: HoldClient, holdId: string, digest: string): Promise<Claim | null> {
  try {
    return await holdpoint.claim(holdId, { digest });
  } catch (error) {
    if (isRefusal(error, "not_claimable")) return null;
    if (isRefusal(error, "claim_taken") || isRefusal(error, "claim_unknown"))
      throw new ExecutionUnknown(holdId);
    throw error;
  }
}
