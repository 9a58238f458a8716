/** What comes first: what ends soonest, then what has waited longest. */

import type { Hold } from "@holdpoint/protocol/client";

export function byUrgency(one: Hold, other: Hold): number {
  const ends = (hold: Hold) =>
    hold.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(hold.expiresAt);
  const [a, b] = [ends(one), ends(other)];
  if (a !== b) return a < b ? -1 : 1;
  return Date.parse(one.createdAt) - Date.parse(other.createdAt);
}

export interface InboxFilter {
  readonly type: string;
  readonly agent: string;
  readonly unseen: boolean;
}

export const NO_FILTER: InboxFilter = { type: "", agent: "", unseen: false };

export function passes(hold: Hold, { type, agent, unseen }: InboxFilter): boolean {
  return (
    (type === "" || hold.type === type) &&
    (agent === "" || hold.createdBy === agent) &&
    (!unseen || hold.openedAt === undefined)
  );
}
