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
  const start = open(value, new Set());
  return typeof start === "string" ? start : write(start);
}

/** A container that is being written: the items that are still to come, and the texts of those that are done. */
interface Frame {
  readonly value: object;
  readonly items: readonly unknown[];
  readonly texts: string[];
  /** Puts the texts of its items together. */
  readonly close: (texts: readonly string[]) => string;
}

/** A loop with a stack of its own, because a model may nest its arguments deeper than calls can be nested. */
function write(start: Frame): string {
  const ancestors = new Set<object>([start.value]);
  const stack = [start];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { items, texts } = frame;
    if (texts.length < items.length) {
      const opened = open(items[texts.length], ancestors);
      if (typeof opened === "string") texts.push(opened);
      else {
        ancestors.add(opened.value);
        stack.push(opened);
      }
      continue;
    }
    const text = frame.close(texts);
    // Only what is still being written is an ancestor: a value that merely appears twice is written twice.
    ancestors.delete(frame.value);
    stack.pop();
    const parent = stack.at(-1);
    if (parent === undefined) return text;
    parent.texts.push(text);
  }
  throw new Error("Invariant: the text of a value ended before its first container was closed");
}

/** The text of a value without items, or the container to write. */
function open(value: unknown, ancestors: ReadonlySet<object>): string | Frame {
  if (value instanceof Hole) return "null";
  if (typeof value === "object" && value !== null) return openObject(value, ancestors);
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

/** A hole of an array, which JSON writes as null and which differs from a stored `undefined`. */
class Hole {}
const HOLE = new Hole();

function openObject(value: object, ancestors: ReadonlySet<object>): string | Frame {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? '"[invalid-date]"' : JSON.stringify(value.toISOString());
  }
  if (value instanceof RegExp) return JSON.stringify(String(value));
  if (ancestors.has(value)) return '"[circular]"';
  return { value, texts: [], ...partsOf(value) };
}

function partsOf(value: object): Pick<Frame, "items" | "close"> {
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, at) => (at in value ? item : HOLE));
    return { items, close: (texts) => `[${texts.join()}]` };
  }
  if (value instanceof Set)
    return { items: [...value], close: (texts) => `[${texts.toSorted(byCodeUnits).join()}]` };
  if (value instanceof Map) return { items: [...value].flat(1), close: closeMap };
  const keys = Object.keys(value).sort(byCanonicalOrder);
  return {
    items: keys.map((key) => Reflect.get(value, key)),
    close: (texts) => `{${texts.map((text, at) => `${JSON.stringify(keys[at])}:${text}`).join()}}`,
  };
}

/** Keys and items alternate. */
function closeMap(texts: readonly string[]): string {
  const pairs = Array.from({ length: texts.length / 2 }, (_, at) => ({
    key: texts[2 * at] ?? "",
    item: texts[2 * at + 1] ?? "",
  }));
  pairs.sort((a, b) => byCodeUnits(a.key, b.key) || byCodeUnits(a.item, b.item));
  return `[${pairs.map(({ key, item }) => `[${key},${item}]`).join()}]`;
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
