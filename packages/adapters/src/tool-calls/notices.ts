/**
 * What a model is told about its calls. Plain facts: who decided, whether the tool ran, what to do next. Nothing internal, no
 * hold ids, no links.
 */

import type { InterruptAnswer } from "@holdpoint/protocol/agui";
import { isObject, member } from "@holdpoint/protocol/rules";

export const EDITED =
  "A person changed the arguments of this call before approving it. It ran once, with the changed arguments. Do not repeat the call with the original ones.";
export const EDIT_NOT_TAKEN =
  "A person approved this call with changed arguments, which this tool does not take. The tool did not run.";
export const NO_APPROVAL = "There is no approval on record for this call. The tool did not run.";
export const OTHER_ARGUMENTS =
  "The arguments of this call are not the ones that were approved. The tool did not run.";
export const SAME_ID =
  "Two calls of this step have the same id, so nobody can be asked about either of them. The tool did not run. Make the calls again, each with its own id.";
export const WITHDRAWN_APPROVAL =
  "The approval of this call can no longer be used. The tool did not run. Ask again if it is still needed.";
export const OUTCOME_UNKNOWN =
  "It is not known whether this call ran before. A person has to look. Do not repeat it.";
export const NOT_NOW = "The approval of this call could not be looked up. The tool did not run.";
export const FAILED_BEFORE = "This call ran before and failed. It was not repeated.";

/** Why a call that was asked about does not run. */
export function refusalNotice(answer: InterruptAnswer): string {
  if (answer.status === "resolved") {
    const words = reasonIn(answer);
    return `A person did not approve this call${words === undefined ? "." : `: ${sentence(words)}`} The tool did not run.`;
  }
  return answer.expired
    ? "Nobody answered in time, so nobody decided about this call. The tool did not run."
    : "The question was withdrawn, so nobody decided about this call. The tool did not run.";
}

export function denialNotice(reason: string): string {
  return `This call is not allowed: ${sentence(reason)} The tool did not run.`;
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function reasonIn(answer: Extract<InterruptAnswer, { status: "resolved" }>): string | undefined {
  const { payload } = answer;
  if (!isObject(payload)) return undefined;
  for (const name of ["feedback", "reason", "note"]) {
    const words = member(payload, name);
    if (typeof words === "string" && words.trim() !== "") return words.trim();
  }
  return undefined;
}

const FIXED: readonly string[] = [
  ...[
    EDIT_NOT_TAKEN,
    NO_APPROVAL,
    OTHER_ARGUMENTS,
    SAME_ID,
    WITHDRAWN_APPROVAL,
    OUTCOME_UNKNOWN,
    NOT_NOW,
    FAILED_BEFORE,
  ],
];

/** Whether a tool's result is one of ours instead of its own. */
export function isNotice(text: string): boolean {
  return FIXED.includes(text);
}
