/** Values bent out of shape: every place of a sample, with every kind of thing that does not belong there. */

export interface Bent {
  readonly what: string;
  readonly value: unknown;
}

type Path = readonly (string | number)[];

/** Never acceptable, wherever they stand: no store and no hash could keep them. */
const UNSTORABLE: readonly Bent[] = [
  { what: "NUL", value: "a\u0000b" },
  { what: "half a surrogate pair", value: "\ud83d" },
  { what: "a NUL in a name", value: { "a\u0000": 1 } },
  { what: "too deep", value: nested(80) },
];

/** Acceptable only where the schema says so. */
const ODD: readonly Bent[] = [
  { what: "null", value: null },
  { what: "true", value: true },
  { what: "zero", value: 0 },
  { what: "less than nothing", value: -1 },
  { what: "a fraction", value: 1.5 },
  { what: "a huge number", value: 1e308 },
  { what: "an integer beyond counting", value: 2 ** 53 },
  { what: "no text", value: "" },
  { what: "a number as text", value: "1" },
  { what: "long text", value: "x".repeat(20_001) },
  { what: "markup", value: "</script><img src=x onerror=alert(1)>" },
  { what: "a path", value: "../../../../etc/passwd" },
  { what: "a wrong time", value: "2026-13-45T99:99:99Z" },
  { what: "a duration of nothing", value: "0s" },
  { what: "a dangerous address", value: "javascript:alert(1)" },
  { what: "an address inside", value: "http://169.254.169.254/latest/meta-data" },
  { what: "odd letters", value: "\u202e\u200b\ufeff👩‍👩‍👧\u0007" },
  { what: "a list", value: [] },
  { what: "a list of nothing", value: [null] },
  { what: "a long list", value: Array.from({ length: 5_000 }, () => "x") },
  { what: "an object", value: {} },
  { what: "an object like a function", value: { toString: 1, constructor: { prototype: {} } } },
];

export function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Each place once, over all samples. */
export function* bendings(samples: readonly unknown[]): Generator<Bent & { readonly never: boolean }> {
  const seen = new Set<string>();
  for (const sample of samples) {
    for (const path of placesOf(sample, [])) {
      const place = `/${path.join("/")}`;
      if (seen.has(place)) continue;
      seen.add(place);
      for (const { what, value } of ODD) yield bent(sample, path, place, what, value, false);
      for (const { what, value } of UNSTORABLE) yield bent(sample, path, place, what, value, true);
      if (isRecord(at(sample, path)))
        yield bent(sample, [...path, "no_such_member"], place, "a member unknown", 1, false);
    }
  }
}

function bent(sample: unknown, path: Path, place: string, what: string, value: unknown, never: boolean) {
  return { what: `${what} at ${place}`, value: replaced(sample, path, value), never };
}

function* placesOf(value: unknown, path: Path): Generator<Path> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield* placesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((here, part) => (here as Record<string, unknown>)[part], value);
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === first ? replaced(item, rest, by) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [first]: replaced(record[first], rest, by) };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
