/**
 * The questions people write first. Each gives the value itself and throws a `NotDecidedError` when nobody decided; whoever wants
 * the whole outcome, or what a person said when refusing, uses `ask`.
 */

import type {
  Claim,
  Hold,
  OpenIn,
  OutputOf,
  RunOnceOptions,
  StandardSchema,
} from "@holdpoint/protocol/client";
import type { JsonObject, Option } from "@holdpoint/protocol/rules";
import type { DecidedOutcome } from "./outcome.ts";
import type { ApprovalData, Place } from "./question.ts";
import { jsonSchemaOf } from "./reading.ts";

/** What may be said besides the question itself. */
export type Asking = Omit<
  Place,
  "type" | "prompt" | "options" | "select" | "form" | "actions" | "responseSchema"
>;

/** The answer's type, by its schema. */
export type Answered<Schema> = Schema extends StandardSchema ? OutputOf<Schema> : JsonObject;

/**
 * A person said yes.
 *
 * @example
 * ```ts
 * import type { Approved } from "@holdpoint/sdk";
 *
 * export async function deploy(approved: Approved): Promise<string> {
 *   return approved.runOnce(() => `deployed; ${approved.by.name ?? "somebody"} said yes`);
 * }
 * ```
 */
export interface Approved<Args = JsonObject> {
  readonly holdId: string;
  readonly hold: Hold;
  readonly by: DecidedOutcome["by"];
  readonly at: string;
  /** There if the person approved with other arguments than were proposed; then only these are approved. */
  readonly editedArgs?: Args;
  readonly note?: string;
  /**
   * Runs what was approved at most once and gives the result, also to whoever repeats it. `work` is given the changed
   * arguments; if there are some, a function without a parameter is not run.
   */
  runOnce<Result>(
    work: (editedArgs: Args | undefined, claim: Claim) => Promise<Result> | Result,
    options?: RunOnceOptions<Result>,
  ): Promise<Result>;
}

/** `false` for a "no", so that `if (await hp.approve(…))` cannot go wrong (G14). */
export function approvedOr<Args>(
  outcome: DecidedOutcome<ApprovalData<Args>>,
  run: Approved<Args>["runOnce"],
): Approved<Args> | false {
  if (outcome.action !== "approve") return false;
  const { holdId, hold, by, at, data } = outcome;
  const { editedArgs, note } = data;
  const plain = {
    holdId,
    by,
    at,
    ...(editedArgs === undefined ? {} : { editedArgs }),
    ...(note === undefined ? {} : { note }),
  };
  Object.defineProperties(plain, { hold: { value: hold }, runOnce: { value: run } });
  return plain as Approved<Args>;
}

export function optionsOf(choices: readonly (string | Option)[]): readonly Option[] {
  return choices.map((choice) => (typeof choice === "string" ? { id: choice, label: choice } : choice));
}

/** What the schema says of itself, where the author gives no prompt. */
export function promptOf(schema: StandardSchema | OpenIn, prompt: string | undefined): string {
  const { description, title } = prompt === undefined ? jsonSchemaOf("input", schema) : {};
  const words = prompt ?? description ?? title;
  if (typeof words === "string") return words;
  throw new TypeError("Give a prompt: hp.input(schema, { prompt: … }), or describe the schema.");
}
