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

/** Lists and objects that are in order already are written as they are, not copied. */
function itemsInOrder(items: readonly unknown[], depthLeft: number): readonly unknown[] | undefined {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const value = inOrder(items[at], depthLeft);
    if (value === undefined) return undefined;
    if (copy === undefined && value !== items[at]) copy = items.slice(0, at);
    copy?.push(value);
  }
  return copy ?? items;
}

/**
 * Placing a hold hashes its ask twice, alone and with the rest of its content, and to put tens of thousands of members in order
 * takes as long as a request may take (G13). What is hashed is never changed, so the order is kept as long as the object is.
 */
const orderedBefore = new WeakMap<object, object>();
const MANY_MEMBERS = 1_000;

type Members = Readonly<Record<string, unknown>>;

function membersInOrder(members: object, depthLeft: number): object | undefined {
  const known = orderedBefore.get(members);
  if (known !== undefined) return known;
  if (Object.getPrototypeOf(members) !== Object.prototype) return undefined;
  const names = Object.keys(members);
  const ordered = copiedIfNeeded(members as Members, names, depthLeft);
  if (ordered !== undefined && names.length >= MANY_MEMBERS) orderedBefore.set(members, ordered);
  return ordered;
}

/** Begins a copy at the first member that cannot be written as it is. Members that are `undefined` are never written. */
function copiedIfNeeded(members: Members, names: string[], depthLeft: number): object | undefined {
  let copy: Record<string, unknown> | undefined = putInOrder(names) ? {} : undefined;
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] as string;
    const member = members[name];
    if (member === undefined) continue;
    const value = keepsItsPlace(name) ? inOrder(member, depthLeft) : undefined;
    if (value === undefined) return undefined;
    if (copy === undefined && value !== member) copy = copyOf(members, names.slice(0, at));
    if (copy !== undefined) copy[name] = value;
  }
  return copy ?? members;
}

function copyOf(members: Members, names: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of names) if (members[name] !== undefined) copy[name] = members[name];
  return copy;
}

/** V8's sort allocates ten times as much as the names need, which shows where every event is hashed. */
const FEW_NAMES = 24;

/** Puts names in order; `false` if they were in order already. */
function putInOrder(names: string[]): boolean {
  const first = firstOutOfOrder(names);
  if (first === -1) return false;
  if (names.length > FEW_NAMES) {
    names.sort();
    return true;
  }
  for (let from = first; from < names.length; from += 1) {
    const name = names[from] as string;
    let at = from;
    for (; at > 0 && (names[at - 1] as string) > name; at -= 1) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return true;
}

function firstOutOfOrder(names: readonly string[]): number {
  for (let at = 1; at < names.length; at += 1)
    if ((names[at - 1] as string) > (names[at] as string)) return at;
  return -1;
}

/** Objects list names that are numbers first, and `__proto__` and `toJSON` are no ordinary members. */
function keepsItsPlace(name: string): boolean {
  const first = name.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && name !== "__proto__" && name !== "toJSON";
}
