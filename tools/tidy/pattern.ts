/** Patterns of paths: `*` one name, `**` any path, `$1` what the first `*` of another pattern stood for. */

const compiled = new Map<string, RegExp>();

function toRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*\*\/|\*\*|\*/g, (stars) => {
    if (stars === "**/") return "(?:.*/)?";
    return stars === "**" ? ".*" : "([^/]+)";
  });
  const made = new RegExp(`^${source}$`);
  compiled.set(pattern, made);
  return made;
}

export function fits(path: string, pattern: string): boolean {
  return toRegExp(pattern).test(path);
}

export function fitsAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(path, pattern));
}

/** What the first `*` of the pattern stood for, if the path fits. */
export function firstStar(path: string, pattern: string): string {
  return toRegExp(pattern).exec(path)?.[1] ?? "";
}
