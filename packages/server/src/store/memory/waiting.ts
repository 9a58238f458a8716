/** Lists of open holds over memory, written as simply as possible. */

import { type Listing, listingOf } from "../hold-listing.ts";
import { compareText } from "../text-order.ts";
import { typed } from "../typed.ts";
import {
  countOf,
  groupsOf,
  type WaitingCount,
  type WaitingFilter,
  type WaitingGrouping,
  type WaitingGroups,
  type WaitingOrder,
  type WaitingPage,
  type WaitingPlace,
  type WaitingQuery,
} from "../waiting.ts";
import { indexName, type MemoryData, type Row, tableName } from "./data.ts";
import { entityOf } from "./read.ts";

interface Waiting extends Listing {
  readonly id: string;
  readonly creator: string;
  readonly row: Row;
}

function openHolds(data: MemoryData, workspace: string): readonly Waiting[] {
  const name = tableName({ workspace, kind: "hold" });
  const table = data.tables.get(name);
  return [...(data.indexes.get(indexName(name, "status", "open")) ?? [])].map((id) => {
    const row = table?.get(id) as Row;
    return { id, row, creator: row.index["creator"] ?? "", ...listingOf(JSON.parse(row.body)) };
  });
}

function fits(hold: Waiting, { creator, tool, type, assignee, isUnseen, endsBy }: WaitingFilter): boolean {
  return (
    (creator === undefined || hold.creator === creator) &&
    (tool === undefined || hold.tool === tool) &&
    (type === undefined || hold.type === type) &&
    (assignee === undefined || hold.assignee === assignee) &&
    (isUnseen !== true || hold.isOpened === 0) &&
    (endsBy === undefined || hold.endsAt <= endsBy)
  );
}

function compare(one: WaitingPlace, other: WaitingPlace, order: WaitingOrder): number {
  const byId = compareText(one.id, other.id);
  if (order === "urgency") return one.endsAt - other.endsAt || byId;
  return order === "newest" ? -byId : byId;
}

export function listWaiting(data: MemoryData, query: WaitingQuery): WaitingPage {
  const { order, after, limit } = query;
  const found = openHolds(data, query.workspace)
    .filter((hold) => fits(hold, query) && (after === undefined || compare(hold, after, order) > 0))
    .toSorted((one, other) => compare(one, other, order))
    .slice(0, limit);
  const last = found.at(-1);
  return {
    holds: typed(found.map(({ row }) => entityOf(row))),
    next: found.length < limit || last === undefined ? null : { endsAt: last.endsAt, id: last.id },
  };
}

export function countWaiting(data: MemoryData, filter: WaitingFilter): WaitingCount {
  return countOf(openHolds(data, filter.workspace).filter((hold) => fits(hold, filter)).length, false);
}

export function groupWaiting(data: MemoryData, filter: WaitingFilter, by: WaitingGrouping): WaitingGroups {
  const valued = openHolds(data, filter.workspace).filter((hold) => hold[by] !== null && fits(hold, filter));
  const groups = [...Map.groupBy(valued, (hold) => hold[by] ?? "")]
    .map(([value, holds]) => ({ value, count: holds.length }))
    .toSorted((one, other) => compareText(one.value, other.value));
  return groupsOf(groups, false);
}
