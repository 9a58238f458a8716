/** A patch as tools write it. */

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
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
