/** A hold as the components meet it. */

import type { Hold } from "@holdpoint/protocol/client";
import { type Ask, actionsOf } from "@holdpoint/protocol/rules";

export const PLACED_AT = Date.parse("2026-03-01T09:00:00.000Z");

export function holdAsking(ask: Ask, more: Partial<Hold> = {}): Hold {
  return {
    id: "hold_1",
    caseId: "review_1",
    status: "open",
    ...ask,
    actions: actionsOf(ask).map((action) => ({ ...action, label: action.label ?? action.id })),
    digest: "sha256:1",
    createdBy: "bot",
    createdAt: new Date(PLACED_AT).toISOString(),
    attempt: 1,
    ladder: [],
    version: 1,
    links: "agent",
    ...more,
  };
}
