/** A patch as tools write it. */

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

const UNIFIED = /^(?:diff --git |--- |\+\+\+ |@@ )/m;

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * A patch as tools write it: shown as one, not as prose. Inside a hunk the first character of a line says what the line is: a removed
 * line of `-- text` reads `--- text`, as the name of a file does outside of hunks (G15).
 */
export function readUnifiedDiff(text: string): readonly DiffLine[] | null {
  if (!UNIFIED.test(text) || !/^[-+]/m.test(text) || !text.includes("@@")) return null;
  // The lines of both sides that the hunk still has to come; a hunk that does not say how many has no end.
  let before = 0;
  let after = 0;
  const lines = text.split("\n");
  return lines.map((line, at): DiffLine => {
    if (line.startsWith("@@")) {
      const [says, removed = 1, added = 1] = HUNK.exec(line) ?? [];
      before = says ? Number(removed) : Infinity;
      after = says ? Number(added) : Infinity;
      return { kind: "same", text: line };
    }
    if (line.startsWith("diff --git ")) [before, after] = [0, 0];
    if (before <= 0 && after <= 0 && (namesFiles(lines, at) || namesFiles(lines, at - 1)))
      return { kind: "same", text: line };
    const mark = line[0];
    const kind = mark === "+" ? "added" : mark === "-" ? "removed" : "same";
    if (mark !== "\\") {
      if (kind !== "added") before -= 1;
      if (kind !== "removed") after -= 1;
    }
    return { kind, text: kind !== "same" || mark === " " ? line.slice(1) : line };
  });
}

/** The names of both sides stand one below the other, and the first hunk below them. */
function namesFiles(lines: readonly string[], at: number): boolean {
  return /^--- .*\r?\n\+\+\+ .*\r?\n@@/.test(lines.slice(at, at + 3).join("\n"));
}
