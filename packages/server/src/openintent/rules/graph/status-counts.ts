/**
 * How many members a container has in each status. The counts are updated with every status change, so a parent or a
 * portfolio never has to read all its members. Each change is a difference, so two changes in one commit add up in any order.
 */

import type { FactTable } from "../../../kernel/domain.ts";
import { must } from "../../../kernel/must.ts";
import { INTENT_STATUSES, type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import type { Draft, FactRecord, Need, OpenIntentBodies } from "../world.ts";

export type Counts = Readonly<Partial<Record<IntentStatus, number>>>;

export interface StatusCounts {
  readonly counts: Counts;
}

/** One member was added, removed or changed status. Not logged: the member's own log has it. */
export interface StatusCountFact {
  readonly type: "status_counts.moved";
  readonly from?: IntentStatus;
  readonly to?: IntentStatus;
}

export function childCountsId(intentId: string): string {
  return `intent\n${intentId}`;
}

export function memberCountsId(portfolioId: string): string {
  return `portfolio\n${portfolioId}`;
}

/** The counts that include this intent: its parent's and its portfolios'. */
function countsIdsOf({
  parentId,
  portfolios = [],
}: Pick<Intent, "parentId" | "portfolios">): readonly string[] {
  return [...(parentId === undefined ? [] : [childCountsId(parentId)]), ...portfolios.map(memberCountsId)];
}

export function countNeeds(intent: Intent): readonly Need[] {
  return countsIdsOf(intent).map((id) => ({ kind: "tally", id }) as const);
}

/** Moves the intent from status `from` to its current status in every count that includes it. */
export function count({ intent, draft, at }: Counted, from: IntentStatus): void {
  for (const id of countsIdsOf(intent))
    draft.state(counted(id, { type: "status_counts.moved", from, to: intent.status }, at));
}

interface Counted {
  readonly intent: Intent;
  readonly draft: Draft;
  readonly at: number;
}

export function counted(id: string, fact: StatusCountFact, at: number): FactRecord {
  return { kind: "tally", id, fact, at, actor: "system" };
}

export const STATUS_COUNT_FACTS: FactTable<StatusCountFact, OpenIntentBodies> = {
  "status_counts.moved": {
    evolve(world, id, { from, to }) {
      const counts = new Map(Object.entries(world.get("tally", id)?.counts ?? {}));
      if (from !== undefined)
        counts.set(from, must(counts.get(from), "the count of the member's previous status") - 1);
      if (to !== undefined) counts.set(to, (counts.get(to) ?? 0) + 1);
      return [{ kind: "tally", id, body: { counts: Object.fromEntries(counts) } }];
    },
    log: () => null,
  },
};

export function countOf({ counts }: StatusCounts, status: IntentStatus): number {
  return counts[status] ?? 0;
}

export const NO_MEMBERS: StatusCounts = { counts: {} };

export interface Aggregate {
  readonly total: number;
  readonly by_status: Readonly<Record<IntentStatus, number>>;
  /** Rounded down, so that 100 means that all members are complete. */
  readonly completion_percentage: number;
}

export function aggregateOf(tally: StatusCounts): Aggregate {
  const byStatus = Object.fromEntries(INTENT_STATUSES.map((status) => [status, countOf(tally, status)]));
  const total = INTENT_STATUSES.reduce((sum, status) => sum + countOf(tally, status), 0);
  const done = countOf(tally, "completed");
  return {
    total,
    by_status: byStatus as Aggregate["by_status"],
    completion_percentage: total === 0 ? 0 : Math.floor((done * 100) / total),
  };
}

/** A portfolio's overall status. A member that is suspended for a person counts as in progress. */
export function standingOf(tally: StatusCounts): "completed" | "failed" | "in_progress" {
  const { total } = aggregateOf(tally);
  if (total > 0 && countOf(tally, "completed") === total) return "completed";
  return countOf(tally, "abandoned") > 0 ? "failed" : "in_progress";
}

export function suspendedCount(tally: StatusCounts): number {
  return countOf(tally, SUSPENDED);
}
