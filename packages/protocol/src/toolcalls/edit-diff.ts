/** Edits as unified diffs. Nothing is left out: every line that is removed or added is there. */

export interface Edit {
  readonly before: string;
  readonly after: string;
}

export function editDiff(path: string, edits: readonly Edit[]): string {
  return [`--- ${inOneLine(path)}`, `+++ ${inOneLine(path)}`, ...edits.flatMap(hunkOf)].join("\n");
}

export function newFileDiff(path: string, content: string): string {
  return [
    `--- ${inOneLine(path)} (as it is)`,
    `+++ ${inOneLine(path)}`,
    "@@ the whole file @@",
    ...marked("+", content.split("\n")),
  ].join("\n");
}

/** A name with line ends could pass for lines of the diff. */
function inOneLine(path: string): string {
  return path.includes("\n") ? JSON.stringify(path) : path;
}

/** Equal lines at the beginning and at the end are context. */
function hunkOf({ before, after }: Edit): readonly string[] {
  const removed = before.split("\n");
  const added = after.split("\n");
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return [
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...marked(" ", removed.slice(0, head)),
    ...marked("-", removed.slice(head, removed.length - tail)),
    ...marked("+", added.slice(head, added.length - tail)),
    ...marked(" ", removed.slice(removed.length - tail)),
  ];
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.map((line) => `${mark}${line}`);
}
