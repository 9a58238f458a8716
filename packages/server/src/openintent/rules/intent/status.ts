/** The lifecycle: which status may follow which. */

import { type Intent, type IntentStatus, SUSPENDED } from "./intent.ts";

const NEXT: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ["active", "abandoned"],
  active: ["blocked", "completed", "abandoned", SUSPENDED],
  blocked: ["active", "abandoned"],
  // Back to active only by an answer, an expiry or a cancellation, never by writing the status.
  suspended_awaiting_input: ["abandoned"],
  completed: [],
  abandoned: [],
};

/**
 * The statuses to pass through, the last one included; `null`: there is no way. A draft that is worked on was active
 * first, whether or not anybody said so.
 */
export function wayTo({ status }: Pick<Intent, "status">, to: IntentStatus): readonly IntentStatus[] | null {
  if (NEXT[status].includes(to)) return [to];
  return status === "draft" && NEXT.active.includes(to) ? ["active", to] : null;
}
