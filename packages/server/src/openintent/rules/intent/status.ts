/** The lifecycle: which status may follow which. */

import { type Intent, type IntentStatus, SUSPENDED } from "./intent.ts";

const NEXT: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ["active", "abandoned"],
  active: ["blocked", "completed", "abandoned", SUSPENDED],
  blocked: ["active", "abandoned"],
  // It becomes active again only by an answer, an expiry or a cancellation, never by setting the status.
  suspended_awaiting_input: ["abandoned"],
  completed: [],
  abandoned: [],
};

/**
 * The statuses to pass through, including the last one; `null` if the change is not allowed. A draft that changes to a
 * working status passes through `active`.
 */
export function wayTo({ status }: Pick<Intent, "status">, to: IntentStatus): readonly IntentStatus[] | null {
  if (NEXT[status].includes(to)) return [to];
  return status === "draft" && NEXT.active.includes(to) ? ["active", to] : null;
}
