/** What differs between two JSON values, place by place. */

import { isObject, type Json, member, pointer, sameJson } from "@holdpoint/protocol/rules";

export interface JsonChange {
  /** JSON pointer. */
  readonly at: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** What differs between two JSON values, by path. */
export function diffJson(before: Json, after: Json): readonly JsonChange[] {
  return changes(before, after, []);
}

function changes(before: Json, after: Json, path: readonly (string | number)[]): readonly JsonChange[] {
  if (sameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => sides(member(before, name), member(after, name), [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      sides(before[at] as Json | undefined, after[at] as Json | undefined, [...path, at]),
    );
  }
  return [{ at: pointer(...path), before, after }];
}

function sides(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly (string | number)[],
): readonly JsonChange[] {
  if (before !== undefined && after !== undefined) return changes(before, after, path);
  const at = pointer(...path);
  return [{ at, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}
