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
