/** JSON as the wire carries it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member only: `constructor` and its like are names anybody may send, and must not find what is inherited. */
export function member<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether lists and objects stand inside each other more than `levels` deep. Never recurses deeper than that itself. */
export function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1));
}

/** Whether there are more than `count` values in it, itself included. Stops looking as soon as it knows. */
export function hasMoreValuesThan(value: unknown, count: number): boolean {
  return valuesLeft(value, count) < 0;
}

function valuesLeft(value: unknown, count: number): number {
  let left = count - 1;
  if (typeof value !== "object" || value === null) return left;
  // Counting names is far quicker than collecting the values of an object with very many members.
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (size > left) return left - size;
  for (const part of Object.values(value)) {
    if (left < 0) return left;
    left = valuesLeft(part, left);
  }
  return left;
}

/** JSON pointer (RFC 6901) of a path; `pointer()` is the whole document. */
export function pointer(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
