/**
 * Canonical JSON (RFC 8785). Every event of the log is hashed over it, so the usual values are written by `JSON.stringify`,
 * which writes numbers and texts as RFC 8785 wants them: their members only have to be put in order first. A value that needs
 * more than that is left to the library.
 */

import canonicalize from "canonicalize";

/** Deeper values are left to the library, which does not use the call stack. */
const DEPTH_MAX = 100;
/** What `JSON.stringify` writes for half a surrogate pair. The library refuses it. */
const HALF_PAIR = "\\ud";

export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value, DEPTH_MAX);
  if (ordered !== undefined) {
    const text = JSON.stringify(ordered);
    if (!text.includes(HALF_PAIR)) return text;
  }
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("only a JSON value can be written as canonical JSON");
  return text;
}

/** The same value with its members in order; `undefined` if it has anything that `JSON.stringify` writes differently. */
function inOrder(value: unknown, depthLeft: number): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "object":
      if (value === null) return null;
      if (depthLeft === 0) return undefined;
      return Array.isArray(value) ? itemsInOrder(value, depthLeft - 1) : membersInOrder(value, depthLeft - 1);
    default:
      return undefined;
  }
}

function itemsInOrder(items: readonly unknown[], depthLeft: number): readonly unknown[] | undefined {
  const ordered: unknown[] = [];
  for (const item of items) {
    const value = inOrder(item, depthLeft);
    if (value === undefined) return undefined;
    ordered.push(value);
  }
  return ordered;
}

/**
 * Placing a hold hashes its ask twice, alone and with the rest of its content, and to put tens of thousands of members in order
 * takes as long as a request may take (G13). What is hashed is never changed, so the order is kept as long as the object is.
 */
const orderedBefore = new WeakMap<object, object>();
const MANY_MEMBERS = 1_000;

function membersInOrder(members: object, depthLeft: number): object | undefined {
  const known = orderedBefore.get(members);
  if (known !== undefined) return known;
  if (Object.getPrototypeOf(members) !== Object.prototype) return undefined;
  const names = Object.keys(members).sort();
  const ordered: Record<string, unknown> = {};
  for (const name of names) {
    const member: unknown = members[name as keyof typeof members];
    if (member === undefined) continue;
    const value = keepsItsPlace(name) ? inOrder(member, depthLeft) : undefined;
    if (value === undefined) return undefined;
    ordered[name] = value;
  }
  if (names.length >= MANY_MEMBERS) orderedBefore.set(members, ordered);
  return ordered;
}

/** Objects list names that are numbers first, and `__proto__` and `toJSON` are no ordinary members. */
function keepsItsPlace(name: string): boolean {
  const first = name.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && name !== "__proto__" && name !== "toJSON";
}
