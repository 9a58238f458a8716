/**
 * The one text of a proposal's content, so that equal content has equal hashes. Byte-compatible with aioc for everything
 * that JSON text can carry; it is not RFC 8785, so event hashes and certificates must not use it.
 *
 * C1  Keys that look like array indexes come first, by number; all others follow by UTF-16 code units.
 * C2  Every own key counts, `__proto__` too: two different arguments never share a text because one was dropped.
 * C3  Nothing depends on locale, time zone, insertion order or `toJSON`.
 * C4  What JSON cannot carry has a fixed text (`"[undefined]"`, `"[circular]"` …) instead of an exception.
 */

const ARRAY_INDEX = /^(?:0|[1-9]\d{0,9})$/;
const ARRAY_INDEX_MAX = 2 ** 32 - 2;

/**
 * Canonical JSON text of a value, by aioc's rules.
 *
 * @example
 * ```ts
 * canonicalProposalJson({ b: 1, a: { d: 2, c: 3 } }); // '{"a":{"c":3,"d":2},"b":1}'
 * ```
 */
export function canonicalProposalJson(value: unknown): string {
  return textOf(value, new Set());
}

function textOf(value: unknown, ancestors: Set<object>): string {
  if (typeof value === "object" && value !== null) return textOfObject(value, ancestors);
  switch (typeof value) {
    case "undefined":
      return '"[undefined]"';
    case "bigint":
      return `"[bigint:${value}]"`;
    case "symbol":
      return JSON.stringify(`[symbol:${String(value)}]`);
    case "function":
      return '"[function]"';
    default:
      return JSON.stringify(value);
  }
}

function textOfObject(value: object, ancestors: Set<object>): string {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? '"[invalid-date]"' : JSON.stringify(value.toISOString());
  }
  if (value instanceof RegExp) return JSON.stringify(String(value));
  if (ancestors.has(value)) return '"[circular]"';
  ancestors.add(value);
  const text = textOfContainer(value, ancestors);
  // Only what is still being written is an ancestor: a value that merely appears twice is written twice.
  ancestors.delete(value);
  return text;
}

function textOfContainer(value: object, ancestors: Set<object>): string {
  if (Array.isArray(value)) {
    // `Array.from` visits holes, which JSON writes as null and which differ from a stored `undefined`.
    return `[${Array.from(value, (item, at) => (at in value ? textOf(item, ancestors) : "null")).join()}]`;
  }
  if (value instanceof Set) {
    return `[${[...value]
      .map((item) => textOf(item, ancestors))
      .sort(byCodeUnits)
      .join()}]`;
  }
  if (value instanceof Map) {
    const pairs = [...value].map(([key, item]) => ({
      key: textOf(key, ancestors),
      item: textOf(item, ancestors),
    }));
    pairs.sort((a, b) => byCodeUnits(a.key, b.key) || byCodeUnits(a.item, b.item));
    return `[${pairs.map(({ key, item }) => `[${key},${item}]`).join()}]`;
  }
  const members = Object.keys(value)
    .sort(byCanonicalOrder)
    .map((key) => `${JSON.stringify(key)}:${textOf(Reflect.get(value, key), ancestors)}`);
  return `{${members.join()}}`;
}

function byCanonicalOrder(a: string, b: string): number {
  const aIndex = isArrayIndex(a);
  const bIndex = isArrayIndex(b);
  if (aIndex && bIndex) return Number(a) - Number(b);
  if (aIndex !== bIndex) return aIndex ? -1 : 1;
  return byCodeUnits(a, b);
}

function isArrayIndex(key: string): boolean {
  return ARRAY_INDEX.test(key) && Number(key) <= ARRAY_INDEX_MAX;
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
