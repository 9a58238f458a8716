/** Whether two answers say the same: how a repeated answer is told from a contradicting one. */

import type { Answer } from "./ask.ts";
import { isObject, type Json, member } from "./json.ts";

export function sameAnswer(one: Answer, other: Answer): boolean {
  return one.action === other.action && sameJson(one.data, other.data);
}

/**
 * Deep equality; the order of members says nothing, the order of a list does. Takes `unknown` because an interface such
 * as `Ask` is JSON to a reader but not to the compiler.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && sameList(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) => Object.hasOwn(other, name) && sameJson(member(one, name), member(other, name)),
  );
}

function sameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => sameJson(item, other[at]));
}

/** The same text for values that are the same to `sameJson`, and for no others: for comparing one value with very many. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] as Json)}`).join(",")}}`;
}
