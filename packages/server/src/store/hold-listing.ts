/** What the lists of waiting holds sort and filter by. Both databases keep it in columns of the `hold` table. */

import { toolIn } from "@holdpoint/protocol/rules";
import type { Body } from "../kernel/entity.ts";

/** The end of a hold that never ends, so that it sorts last. */
export const NEVER_ENDS = Number.MAX_SAFE_INTEGER;

/** A context may hold anything, and an index entry has a largest size. */
const TEXT_MAX = 200;

export interface Listing {
  readonly endsAt: number;
  readonly tool: string | null;
  readonly type: string | null;
  readonly assignee: string | null;
  readonly isOpened: 0 | 1;
}

/** The fields that are read. They are `unknown`, because a database may contain anything. */
interface Looked {
  readonly expiresAt?: unknown;
  readonly deadlineAt?: unknown;
  readonly openedAt?: unknown;
  readonly assignee?: unknown;
  readonly ask?: { readonly type?: unknown; readonly context?: unknown } | null;
}

export function listingOf({ expiresAt, deadlineAt, openedAt, assignee, ask }: Body & Looked): Listing {
  return {
    endsAt: Math.min(timeOf(expiresAt), timeOf(deadlineAt)),
    tool: textOf(toolIn(ask?.context)),
    type: textOf(ask?.type),
    assignee: textOf(assignee),
    isOpened: typeof openedAt === "number" ? 1 : 0,
  };
}

function timeOf(value: unknown): number {
  return typeof value === "number" ? Math.min(Math.trunc(value), NEVER_ENDS) : NEVER_ENDS;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, TEXT_MAX).toWellFormed() : null;
}
