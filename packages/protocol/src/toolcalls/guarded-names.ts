/**
 * Files that steer Git, the coding agents or Holdpoint itself: an agent that writes them can make a later command do anything, or
 * switch the hook off. A call that touches one of them says so, and permissions for other calls do not cover it.
 */

const NAMES: ReadonlySet<string> = new Set([
  // Git, and folders where projects keep the hooks that Git runs.
  ...[".git", ".gitconfig", ".githooks", ".husky"],
  // Coding agents; `.mcp.json` names programs that they start.
  ...[".claude", ".codex", ".cursor", ".mcp.json"],
  ...[".holdpoint", "holdpoint.yaml"],
]);

/** The first such name in a path. */
export function guardedName(path: string): string | undefined {
  return path
    .split(/[\\/]/)
    .map(asFilesystemsReadIt)
    .find((name) => NAMES.has(name));
}

/** Windows' short names: `CLAUDE~1` may be `.claude`. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  [...NAMES].toReversed().map((name) => [name.replace(/^\./, "").replace(/\..*$/, "").slice(0, 6), name]),
);

/** Filesystems differ in what is the same name: letter case, invisible characters, dots at the end, streams and short names. */
function asFilesystemsReadIt(segment: string): string {
  const [stem = ""] = segment
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .split(":", 1);
  const name = stem.slice(0, endWithoutDots(stem));
  const short = /^([^.~]{1,6})~\d+(?:\.|$)/.exec(name)?.[1];
  return (short === undefined ? undefined : SHORT_NAMES.get(short)) ?? name;
}

/** A pattern for the dots and spaces at the end would take quadratic time on a name with many of them in between. */
function endWithoutDots(name: string): number {
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return end;
}
