/** How large arguments are as text. The server must be able to record what runs before it is recorded. */

const SIZE_MAX = 16_000;
const DEPTH_MAX = 24;

/** Characters, roughly; `null`: too large, too deep, or with text that the server refuses. */
export function recordableSize(args: unknown): number | null {
  let size = 0;
  const isSmall = (part: unknown, depth: number): boolean => {
    size += 8;
    if (typeof part === "string") return isText(part);
    if (typeof part !== "object" || part === null) return size <= SIZE_MAX;
    if (depth === DEPTH_MAX) return false;
    if (Array.isArray(part)) return part.every((member) => isSmall(member, depth + 1));
    for (const name of Object.keys(part)) {
      if (name === "__proto__" || !isText(name)) return false;
      if (!isSmall((part as Record<string, unknown>)[name], depth + 1)) return false;
    }
    return true;
  };
  const isText = (text: string): boolean => {
    size += text.length;
    return size <= SIZE_MAX && text.isWellFormed() && !text.includes("\u0000");
  };
  return isSmall(args, 0) ? size : null;
}
