/** Answers without the page: which actions a case may offer inline, and from whom it takes them. */

import type { CaseIn } from "@holdpoint/protocol/hitl";
import { type Ask, actionsOf, isCallUnknown, isObject, type JsonObject } from "@holdpoint/protocol/rules";

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

/** Kept with a case whose author said that much is at risk. */
export const PAGE_ONLY = { risk: "high" } as const;

/** Whether the author wants the answer from the page, whoever has made a submit token since. */
export function isPageOnly(face: JsonObject | undefined): boolean {
  return face?.["risk"] === PAGE_ONLY.risk;
}

export interface Submitter {
  readonly platform: string;
  readonly platform_user_id: string;
}

/** Whether a case that names platform accounts names this one. */
export function isRegistered(
  face: JsonObject | undefined,
  { platform, platform_user_id }: Submitter,
): boolean {
  const registered = face?.["submitters"];
  if (!Array.isArray(registered)) return true;
  return registered.some(
    (one) => isObject(one) && one["platform"] === platform && one["platform_user_id"] === platform_user_id,
  );
}
