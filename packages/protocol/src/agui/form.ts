/** Which form a request is answered in (AG-084): what it says itself, before what its shape suggests. */

import type { InterruptForm, RunInput } from "./types.ts";

export const FORM_PARAMETER = "interruptForm";
/** `keep`: a resume that answers some of what is open is taken, and the run ends on the rest; `refuse`, as ever, if left out. */
export const PARTIAL_PARAMETER = "partialResume";
export const FORM_HEADER = "x-agui-interrupt-form";

export interface FormHints {
  /** From the query, the header, or an address that stands for one form. */
  readonly explicit?: string | null | undefined;
  readonly input: Pick<RunInput, "protocolVersion" | "resume">;
  /** The form of the thread's last run. */
  readonly remembered?: InterruptForm | undefined;
}

export function isInterruptForm(text: unknown): text is InterruptForm {
  return text === "released" || text === "draft";
}

export function chooseForm({ explicit, input, remembered }: FormHints): InterruptForm {
  if (isInterruptForm(explicit)) return explicit;
  if (input.protocolVersion !== undefined) return "released";
  if (input.resume?.kind === "list") return "released";
  if (input.resume?.kind === "single" && input.resume.spelling === "draft") return "draft";
  return remembered ?? "released";
}
