/** Patterns for the names of tools and agents. `*` stands for any text; everything else stands for itself. */

export function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] as string;
  if (parts.length === 1) return pattern === name;
  const last = parts.at(-1) as string;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  // Taking the earliest place for each part leaves the most text for the others, so no backtracking is needed.
  let at = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether every name that `narrow` matches is also matched by `wide`. It may say no although it is so. */
export function coversName(wide: string, narrow: string): boolean {
  if (wide === "*" || wide === narrow) return true;
  // A star in the narrow pattern stands for texts that only a star of the wide one can match. A character that is in
  // no pattern takes its place.
  return matchesName(wide, narrow.replaceAll("*", "\u0000"));
}

/** Whether some name matches both patterns. */
export function meetsName(one: string, other: string): boolean {
  if (!one.includes("*")) return matchesName(other, one);
  if (!other.includes("*")) return matchesName(one, other);
  // The stars leave room for everything between, so only what stands before the first and after the last star can disagree.
  const [start, begin] = [one, other].map((pattern) => pattern.slice(0, pattern.indexOf("*"))) as [
    string,
    string,
  ];
  const [end, finish] = [one, other].map((pattern) => pattern.slice(pattern.lastIndexOf("*") + 1)) as [
    string,
    string,
  ];
  return (
    (start.startsWith(begin) || begin.startsWith(start)) && (end.endsWith(finish) || finish.endsWith(end))
  );
}
