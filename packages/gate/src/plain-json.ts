/** Whether a value is exactly what its JSON text says. Guarded calls take nothing else. */

/** No honest call comes near it, and no walk over what is less deep runs out of stack. */
const DEPTH_MAX = 1_000;

/**
 * Finds the first part that JSON would lose, change or share with another value: functions, class instances, NaN,
 * circles, bottomless nesting. Two different calls could otherwise have one hash, and the approval of one would let the other through.
 * Members that are `undefined` are as good as absent.
 *
 * @returns where it is, like `$.when`, or `null` when all is plain.
 */
export function notPlainJson(value: unknown, path = "$", ancestors: readonly object[] = []): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : path;
  if (value === null || typeof value === "string" || typeof value === "boolean") return null;
  if (typeof value !== "object" || ancestors.includes(value) || ancestors.length >= DEPTH_MAX) return path;
  const within = [...ancestors, value];
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, at) => ({ item, path: `${path}[${at}]` }));
    return firstOf(items, within);
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return path;
  if (Object.getOwnPropertySymbols(value).length > 0) return path;
  const members = Object.entries(value).map(([key, item]) => ({ item, path: `${path}.${key}` }));
  return firstOf(
    members.filter(({ item }) => item !== undefined),
    within,
  );
}

function firstOf(
  parts: readonly { readonly item: unknown; readonly path: string }[],
  ancestors: readonly object[],
): string | null {
  for (const { item, path } of parts) {
    const found = notPlainJson(item, path, ancestors);
    if (found !== null) return found;
  }
  return null;
}
