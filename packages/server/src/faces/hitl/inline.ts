/** Which actions a case offers inline, without the page. The kernel decides who may use them. */

import type { CaseIn } from "@holdpoint/protocol/hitl";
import { type Ask, actionsOf, isCallUnknown } from "@holdpoint/protocol/rules";

/** Actions that need no page. Changes, selections and forms need one. */
const INLINE: Readonly<Record<string, readonly string[]>> = {
  approval: ["approve", "reject"],
  confirmation: ["confirm", "cancel"],
  escalation: ["retry", "skip", "abort"],
};

/** The offered actions; `null` if the request names one that cannot be offered. */
export function inlineActions(body: CaseIn): readonly string[] | null {
  const { type, inline = false, risk, actions } = body;
  // A reviewer must see what will run. If the call is unknown, a button in a message cannot decide it (G15).
  if (inline === false || risk === "high" || isCallUnknown(body as Pick<Ask, "context">)) return [];
  const declared = new Set(
    actionsOf({ type, ...(actions && { actions }) } as Parameters<typeof actionsOf>[0]).map(({ id }) => id),
  );
  const possible = (INLINE[type] ?? []).filter((action) => declared.has(action));
  if (inline === true) return possible;
  return inline.every((action) => possible.includes(action)) ? inline : null;
}
