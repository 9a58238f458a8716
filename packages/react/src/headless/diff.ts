/** What differs: between two texts line by line, and between two JSON values place by place. */

import { isObject, type Json, member, pointer, sameJson } from "@holdpoint/protocol/rules";

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Work grows with the product of the lengths; above this both sides are shown whole instead. */
const CELLS_MAX = 4_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  if (a.length * b.length > CELLS_MAX) return [...lines("removed", a), ...lines("added", b)];
  const common = commonLengths(a, b);
  const found: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [old = "", fresh = ""] = [a[i], b[j]];
    if (old === fresh) {
      found.push({ kind: "same", text: old });
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      found.push({ kind: "removed", text: old });
      i += 1;
    } else {
      found.push({ kind: "added", text: fresh });
      j += 1;
    }
  }
  return [...found, ...lines("removed", a.slice(i)), ...lines("added", b.slice(j))];
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Length of the longest common run from each pair of places on. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = table[i] as Uint32Array;
    const below = table[i + 1] as Uint32Array;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

export interface JsonChange {
  /** JSON pointer. */
  readonly at: string;
  readonly before?: Json;
  readonly after?: Json;
}

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

const UNIFIED = /^(?:diff --git |--- |\+\+\+ |@@ )/m;

/** A patch as tools write it: shown as one, not as prose. */
export function readUnifiedDiff(text: string): readonly DiffLine[] | null {
  if (!UNIFIED.test(text) || !/^[-+]/m.test(text) || !text.includes("@@")) return null;
  return text.split("\n").map((line): DiffLine => {
    const isHeader = /^(?:---|\+\+\+) /.test(line);
    if (line.startsWith("+") && !isHeader) return { kind: "added", text: line.slice(1) };
    if (line.startsWith("-") && !isHeader) return { kind: "removed", text: line.slice(1) };
    return { kind: "same", text: line.startsWith(" ") ? line.slice(1) : line };
  });
}
