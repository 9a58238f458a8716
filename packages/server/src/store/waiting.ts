/**
 * Lists of open holds, sorted and filtered. A list reads one index in order. Filters that the index does not begin
 * with are applied to at most `SCAN_MAX` entries a request, so that a rare one cannot read 100,000 rows; the reply
 * says where to go on.
 */

import type { EntityOf } from "../domains.ts";

export const SCAN_MAX = 20_000;
/** Nobody needs to know more exactly than "1,000+". */
export const COUNT_MAX = 1_000;
export const GROUPS_MAX = 100;

export interface WaitingFilter {
  readonly workspace: string;
  readonly creator?: string;
  readonly tool?: string;
  readonly type?: string;
  /** `null`: only holds that are assigned to nobody. */
  readonly assignee?: string | null;
  /** Only holds that nobody has opened. */
  readonly isUnseen?: true;
  /** Only holds that end at this time or before. */
  readonly endsBy?: number;
}

/** `urgency`: what ends first, then what was placed first. */
export type WaitingOrder = "urgency" | "newest" | "oldest";

/** The place of a hold in a list. */
export interface WaitingPlace {
  readonly endsAt: number;
  readonly id: string;
}

export interface WaitingQuery extends WaitingFilter {
  readonly order: WaitingOrder;
  readonly after?: WaitingPlace;
  readonly limit: number;
}

export interface WaitingPage {
  readonly holds: readonly EntityOf<"hold">[];
  /** `null`: there are no more. */
  readonly next: WaitingPlace | null;
}

export interface WaitingCount {
  readonly count: number;
  /** `false`: there are at least so many. */
  readonly isExact: boolean;
}

export type WaitingGrouping = "creator" | "tool" | "assignee";

export interface WaitingGroup extends WaitingCount {
  readonly value: string;
}

export interface WaitingGroups {
  readonly groups: readonly WaitingGroup[];
  readonly isComplete: boolean;
}

/** Adds a value to a statement and returns what stands for it in the text. */
type Placing = (value: string | number) => string;

interface Range {
  readonly index: "hold_urgency" | "hold_open_tool" | "hold_open_assignee" | "hold_status";
  readonly orderBy: string;
  /** Conditions that the index answers by itself. */
  readonly leading: (place: Placing) => readonly string[];
  /** Conditions on every entry that is read. */
  readonly rest: (place: Placing) => readonly string[];
  readonly beyond: (after: WaitingPlace, place: Placing) => string;
  readonly upTo: (last: WaitingPlace, place: Placing) => string;
  /** Whether entries are read that do not match. */
  readonly isFiltered: boolean;
}

type Condition = readonly [column: string, value: string | number];

/** The index to read, in which order, and what is left to filter. */
export function rangeOf(filter: WaitingFilter, order: WaitingOrder): Range {
  const { creator, tool, type, assignee, isUnseen, endsBy } = filter;
  const isUrgency = order === "urgency";
  const index = !isUrgency
    ? "hold_status"
    : typeof assignee === "string"
      ? "hold_open_assignee"
      : tool === undefined
        ? "hold_urgency"
        : "hold_open_tool";
  const equal: readonly Condition[] = [
    ...(typeof assignee === "string" ? [["assignee", assignee] as const] : []),
    ...(tool === undefined ? [] : [["tool", tool] as const]),
    ...(creator === undefined ? [] : [["creator", creator] as const]),
    ...(type === undefined ? [] : [["ask_type", type] as const]),
    ...(isUnseen === true ? [["is_opened", 0] as const] : []),
  ];
  const isLed = index === "hold_open_assignee" || index === "hold_open_tool";
  const [led, others] = isLed ? [equal.slice(0, 1), equal.slice(1)] : [[], equal];
  const endsFirst = (place: Placing) => (endsBy === undefined ? [] : [`ends_at <= ${place(endsBy)}`]);
  const [beyond, within, direction] = order === "newest" ? ["<", ">=", "DESC"] : [">", "<=", "ASC"];
  const at = ({ endsAt, id }: WaitingPlace, place: Placing) =>
    isUrgency ? ["(ends_at, id)", `(${place(endsAt)}, ${place(id)})`] : ["id", place(id)];
  return {
    index,
    orderBy: isUrgency ? "ends_at ASC, id ASC" : `id ${direction}`,
    leading: (place) => [...led.map((each) => equals(each, place)), ...(isUrgency ? endsFirst(place) : [])],
    rest: (place) => [
      ...others.map((each) => equals(each, place)),
      ...(assignee === null ? ["assignee IS NULL"] : []),
      ...(isUrgency ? [] : endsFirst(place)),
    ],
    beyond: (after, place) => at(after, place).join(` ${beyond} `),
    upTo: (last, place) => at(last, place).join(` ${within} `),
    isFiltered: others.length > 0 || assignee === null || (!isUrgency && endsBy !== undefined),
  };
}

function equals([column, value]: Condition, place: Placing): string {
  return `${column} = ${place(value)}`;
}

/** The column and the index that groups are read from, value by value. */
export const GROUPINGS = {
  creator: { column: "creator", index: "hold_creator_status", isOpenOnly: false },
  tool: { column: "tool", index: "hold_open_tool", isOpenOnly: true },
  assignee: { column: "assignee", index: "hold_open_assignee", isOpenOnly: true },
} as const satisfies Readonly<Record<WaitingGrouping, object>>;

/** How many values are looked at; agents without an open hold are among them. */
export const GROUP_STEPS_MAX = 500;

export function countOf(found: number, isCut: boolean): WaitingCount {
  return { count: Math.min(found, COUNT_MAX), isExact: found <= COUNT_MAX && !isCut };
}

/** Whether every open hold fits; then groups are counted on their own index, without reading each hold. */
export function isWhole({ workspace: _all, ...narrowing }: WaitingFilter): boolean {
  return Object.keys(narrowing).length === 0;
}

/** Of a part of the list that was read as a whole; `isCut`: there is more of it. */
export function groupsIn(
  found: readonly { readonly value: string | null; readonly count: number }[],
  isCut: boolean,
): WaitingGroups {
  const valued = found.flatMap(({ value, count }) => (value === null ? [] : [{ value, count }]));
  const byName = valued.toSorted((one, other) => (one.value < other.value ? -1 : 1));
  const { groups, isComplete } = groupsOf(byName, isCut);
  return {
    groups: groups.map((group) => ({ ...group, isExact: group.isExact && !isCut })),
    isComplete,
  };
}

export function groupsOf(
  found: readonly { readonly value: string; readonly count: number }[],
  isCut: boolean,
): WaitingGroups {
  const groups = found
    .filter(({ count }) => count > 0)
    .map(({ value, count }) => ({ value, ...countOf(count, false) }))
    .toSorted((one, other) => other.count - one.count);
  return { groups: groups.slice(0, GROUPS_MAX), isComplete: !isCut && groups.length <= GROUPS_MAX };
}
