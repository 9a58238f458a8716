/** Ways to bend a valid object, for tests that say what each schema must refuse. */

import { isObject, type Json, type JsonObject } from "../../rules/json.ts";

export type Path = readonly (string | number)[];

export function pathsOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(value as JsonObject);
  return [path, ...entries.flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function at(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, key) => (inner as Readonly<Record<string | number, Json>> | undefined)?.[key],
    value,
  );
}

/** The same value with one place replaced, or taken out when nothing is given in its stead. */
export function bent(value: Json, path: Path, instead?: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return instead ?? null;
  if (Array.isArray(value)) {
    if (rest.length === 0 && instead === undefined) return value.filter((_, index) => index !== key);
    return value.map((item, index) => (index === key ? bent(item, rest, instead) : item));
  }
  const object = value as JsonObject;
  if (rest.length === 0 && instead === undefined)
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  return { ...object, [key]: bent(object[key] ?? null, rest, instead) };
}

/** Every copy of the object with one more member, in it or in an object inside it. */
export function withStrangers(value: JsonObject): readonly (readonly [Path, Json])[] {
  return pathsOf(value)
    .filter((path) => isObject(at(value, path) ?? null))
    .map((path) => [path, bent(value, [...path, "stranger"], 1)] as const);
}
