/** What differs between two texts, line by line. Apart from the rest, so that a page loads it only where it compares texts. */

import { diffArrays } from "diff";
import type { DiffLine } from "./unified-diff.ts";

/** Above this many changed lines the two texts have little in common, and both are shown whole. */
const EDITS_MAX = 5_000;

/** What differs between two texts, by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const changes = diffArrays(a, b, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return [...lines("removed", a), ...lines("added", b)];
  return changes.flatMap(({ added, removed, value }) =>
    lines(added ? "added" : removed ? "removed" : "same", value),
  );
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
