/**
 * The execution fence: claim, run, report (G10). Everything that acts on an approval goes through here.
 *
 * O1  Work starts only after its claim succeeded, so that of all who hold the same approval one runs it.
 * O2  Work that ran is never presented as failed: when the report of its success cannot be delivered, the caller gets the result
 *     and is told that the report is outstanding.
 * O3  A caller that repeats work that was reported as done gets the recorded result; the work does not run again.
 * O4  When work throws, at once or later, the failure is reported and the work's own error is what the caller gets. A failure
 *     report that cannot be delivered does not replace it. Why it failed is not reported: it may hold secrets.
 * O5  Where a person changed what was asked while granting it (other arguments or parameters, a part of the items), nothing is claimed
 *     and nothing runs, unless the caller says that it takes the change: what was proposed was not approved (G14).
 */

import { type ChangedMember, changesOf, type JsonObject, member } from "../rules/index.ts";
import { isRefusal, TerminalError } from "./errors.ts";
import type { HoldClient } from "./hold-client.ts";
import type { Claim, ClaimResult, Hold, OpenIn } from "./types.ts";

/** The calls that the fence makes. */
export type ClaimClient = Pick<HoldClient, "get" | "claim" | "finishClaim">;

/** The work ran, and the server could not be told so: it shows the execution as `unknown` once the lease is over. */
export interface OutstandingReport {
  /** Why the report was not delivered. */
  readonly error: unknown;
  /** Sends it again; repeating it is harmless. */
  retry(): Promise<void>;
}

/**
 * How to run something once.
 *
 * @example
 * ```ts
 * import { Holdpoint, type RunOnceOptions } from "@holdpoint/sdk";
 *
 * const options: RunOnceOptions<string> = {
 *   lease: "10m", // for work that takes longer than the usual lease
 *   onOutstanding: ({ retry }) => void setTimeout(() => retry().catch(console.error), 60_000),
 * };
 * const approved = await new Holdpoint().approve("Deploy?");
 * if (approved) await approved.runOnce(() => "deployed", options);
 * ```
 */
export interface RunOnceOptions<Result> {
  /** Ends the call before the work starts; the report of work that ran is sent in any case. */
  readonly signal?: AbortSignal;
  /** How long the work may take before nobody knows whether it ran; the server's default when absent. */
  readonly lease?: string;
  /** What is recorded for a caller that repeats the work; the result itself, as JSON, when absent. */
  readonly record?: (result: Result) => OpenIn | Promise<OpenIn>;
  /** The result from what was recorded; needed with `record`. */
  readonly recall?: (detail: JsonObject) => Result;
  /**
   * The work runs what a person made of the question: `edited_args` or `edits` of an approval, `modified_params` of an escalation (only
   * the changed parameters), `confirmed_items` of a confirmation. `true`: all of them; a list: these members of the answer. Without it,
   * an answer with such a change runs nothing and is refused with the code `edited_args`.
   */
  readonly takesEdits?: boolean | readonly ChangedMember[];
  /** Told when the work ran and the report is outstanding; a warning on the console when absent. */
  readonly onOutstanding?: (report: OutstandingReport) => void;
}

/** How an attempt to run something once ended. */
export type OnceAttempt<Result> =
  | { readonly kind: "ran"; readonly result: Result; readonly outstanding?: OutstandingReport }
  /** It ran before; this is what was recorded. */
  | { readonly kind: "recorded"; readonly result: Result }
  /** It ran just now and threw. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** It did not run: it is not approved, or somebody else has claimed it. `claim` is theirs. */
  | { readonly kind: "refused"; readonly refusal: TerminalError; readonly claim?: Claim };

/**
 * One attempt, with every ending as data. Reads the hold first if only its id is given. Throws only what keeps it from finding out:
 * a server that cannot be reached, a caller that is refused, a record that `recall` cannot read.
 */
export async function tryOnce<Result>(
  client: ClaimClient,
  hold: Hold | string,
  work: (claim: Claim) => Promise<Result> | Result,
  options: Omit<RunOnceOptions<Result>, "onOutstanding"> = {},
): Promise<OnceAttempt<Result>> {
  const { signal, lease, record = recordOf, recall = recallFrom, takesEdits = false } = options;
  const call = signal === undefined ? {} : { signal };
  // A hold that was read before its decision does not say what was approved.
  const isKnown = typeof hold !== "string" && (takesEdits === true || hold.outcome !== undefined);
  const known = isKnown ? hold : await client.get(typeof hold === "string" ? hold : hold.id, call);
  const ignored = changesIgnored(known, takesEdits);
  if (ignored.length > 0) return { kind: "refused", refusal: editsIgnored(known.id, ignored) };
  if (isDoneForGood(known)) return { kind: "recorded", result: recalled(known.claim, recall) };
  let claim: Claim;
  try {
    const given = { digest: known.digest, ...(lease === undefined ? {} : { lease }) };
    claim = await client.claim(known.id, given, call);
  } catch (error) {
    if (!REFUSALS.some((code) => isRefusal(error, code))) throw error;
    const now = await client.get(known.id, call);
    if (isDoneForGood(now)) return { kind: "recorded", result: recalled(now.claim, recall) };
    const refusal = error as TerminalError;
    return { kind: "refused", refusal, ...(now.claim === undefined ? {} : { claim: now.claim }) };
  }
  return runClaimed(
    () => work(claim),
    (result) => client.finishClaim(known.id, claim.id, result),
    { record },
  );
}

const REFUSALS = ["claim_taken", "claim_unknown", "not_claimable"] as const;

function changesIgnored(
  hold: Hold,
  takesEdits: NonNullable<RunOnceOptions<unknown>["takesEdits"]>,
): readonly ChangedMember[] {
  if (takesEdits === true || hold.outcome?.kind !== "decided") return [];
  const changed = changesOf(hold, hold.outcome).map(({ member: name }) => name);
  return takesEdits === false ? changed : changed.filter((name) => !takesEdits.includes(name));
}

function editsIgnored(holdId: string, changed: readonly ChangedMember[]): TerminalError {
  const message =
    `${holdId} was granted with changes (${changed.join(", ")}), and the work takes none. ` +
    "Take them as the parameter of the function for runOnce of a handle or an approval, without a default value; " +
    "or read them from the outcome and pass `takesEdits: true`.";
  return new TerminalError({ code: "edited_args", status: 0, holdId, message });
}

/** An approval for several uses can be claimed again although its last use is done. */
function isDoneForGood(hold: Hold): hold is Hold & { readonly claim: Claim } {
  const { claim, uses = 1, erasedAt } = hold;
  return claim?.state === "done" && uses === 1 && erasedAt === undefined;
}

export interface ClaimedWork<Result> {
  readonly record?: (result: Result) => OpenIn | Promise<OpenIn>;
  /** What is reported of a failure; nothing but that it failed, when absent. */
  readonly describe?: (error: unknown) => OpenIn;
}

/** Runs what was claimed before, and reports how it ended (O2, O4). */
export async function runClaimed<Result>(
  work: () => Promise<Result> | Result,
  report: (result: ClaimResult) => Promise<unknown>,
  { record, describe }: ClaimedWork<Result> = {},
): Promise<Extract<OnceAttempt<Result>, { kind: "ran" | "failed" }>> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await report({ ok: false, ...(describe === undefined ? {} : { detail: describe(error) }) }).catch(
      () => {},
    );
    return { kind: "failed", error };
  }
  // It ran, whatever becomes of the record.
  const detail = await recorded(result, record);
  const tell = async () => {
    await report({ ok: true, ...(detail === undefined ? {} : { detail }) });
  };
  try {
    // Once more, besides what the client itself repeats: the claim stays open as long as nobody is told.
    await tell().catch(tell);
    return { kind: "ran", result };
  } catch (error) {
    return { kind: "ran", result, outstanding: { error, retry: tell } };
  }
}

async function recorded<Result>(
  result: Result,
  record: ClaimedWork<Result>["record"],
): Promise<OpenIn | undefined> {
  try {
    return await record?.(result);
  } catch {
    return UNRECORDED;
  }
}

/** Recorded instead of a result that is no JSON, so that a repeat is told so and does not take it for `undefined`. */
const UNRECORDED: OpenIn = { result_unrecorded: true };

/** A claim takes a little less than a body does. */
const RESULT_CHARS_MAX = 200_000;

function recordOf(result: unknown): OpenIn {
  const text = JSON.stringify(result);
  if (text === undefined) return {};
  return text.length <= RESULT_CHARS_MAX ? { result: JSON.parse(text) } : { result_chars: text.length };
}

function recallFrom<Result>(detail: JsonObject): Result {
  const chars = member(detail, "result_chars");
  if (chars !== undefined) {
    throw notRecorded(`it had ${String(chars)} characters and at most ${RESULT_CHARS_MAX} are recorded`);
  }
  return member(detail, "result") as Result;
}

function recalled<Result>({ detail = {} }: Claim, recall: (detail: JsonObject) => Result): Result {
  if (member(detail, "result_unrecorded") === undefined) return recall(detail);
  throw notRecorded("it could not be written as JSON");
}

function notRecorded(why: string): TerminalError {
  const message =
    `The work ran, but its result was not recorded: ${why}. ` +
    "Return something small that is JSON, such as an id, or give `record` and `recall`.";
  return new TerminalError({ code: "result_not_recorded", status: 0, message });
}

/**
 * Runs what a hold approves at most once, however many callers got the same answer, and gives the result. A repeat gets the
 * recorded result. Throws what the work threw, or the refusal when it may not run: `claim_taken` while somebody else runs it
 * or after it failed, `claim_unknown` when nobody knows whether it ran, `not_claimable` when it is not approved, `edited_args`
 * when a person changed what was asked and `takesEdits` is not set.
 *
 * @example
 * ```ts
 * import { Holdpoint, runOnce } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const hold = await hp.get("hold_1");
 * await runOnce(hp.client, hold, () => "deployed");
 * ```
 */
export async function runOnce<Result>(
  client: ClaimClient,
  hold: Hold | string,
  work: (claim: Claim) => Promise<Result> | Result,
  options: RunOnceOptions<Result> = {},
): Promise<Result> {
  const { onOutstanding = warnOutstanding(typeof hold === "string" ? hold : hold.id), ...once } = options;
  const attempt = await tryOnce(client, hold, work, once);
  switch (attempt.kind) {
    case "refused":
      throw attempt.refusal;
    case "failed":
      throw attempt.error;
    case "recorded":
      return attempt.result;
    case "ran":
      if (attempt.outstanding !== undefined) onOutstanding(attempt.outstanding);
      return attempt.result;
  }
}

/** Tells the console, where the author gave nobody who is told: the server does not know that the work ran. */
export function warnOutstanding(holdId: string): (report: OutstandingReport) => void {
  return ({ error }) =>
    console.warn(
      `Holdpoint: the work of ${holdId} ran, but its report is outstanding (${String(error)}). ` +
        "The server shows the execution as unknown until it is reported; pass `onOutstanding` to send it again.",
    );
}
