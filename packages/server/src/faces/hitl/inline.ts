/** Answers without the page: which actions a case may offer inline. Who may then give them is a rule of the kernel. */

import type { CaseIn } from "@holdpoint/protocol/hitl";
import { type Ask, actionsOf, isCallUnknown } from "@holdpoint/protocol/rules";

/** What can be decided without seeing the page. Changes, selections and forms cannot. */
const INLINE: Readonly<Record<string, readonly string[]>> = {
  approval: ["approve", "reject"],
  confirmation: ["confirm", "cancel"],
  escalation: ["retry", "skip", "abort"],
};

/** The actions offered; `null`: one was asked for that cannot be. */
export function inlineActions(body: CaseIn): readonly string[] | null {
  const { type, inline = false, risk, actions } = body;
  // What runs must be seen first: where it is unknown, nothing is decided by a button in a message (G15).
  if (inline === false || risk === "high" || isCallUnknown(body as Pick<Ask, "context">)) return [];
  const declared = new Set(
    actionsOf({ type, ...(actions && { actions }) } as Parameters<typeof actionsOf>[0]).map(({ id }) => id),
  );
  const possible = (INLINE[type] ?? []).filter((action) => declared.has(action));
  if (inline === true) return possible;
  return inline.every((action) => possible.includes(action)) ? inline : null;
}
