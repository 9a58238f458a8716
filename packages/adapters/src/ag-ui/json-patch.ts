/** RFC 6902 over JSON values, for `STATE_DELTA`: returns the new value and leaves the old one alone. */

import { type Json, sameJson } from "@holdpoint/protocol/rules";

export interface PatchStep {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Json;
}

export function applyPatch(document: Json, steps: readonly PatchStep[]): Json {
  return steps.reduce(applyStep, structuredClone(document) as Json);
}

function applyStep(document: Json, { op, path, from, value }: PatchStep): Json {
  switch (op) {
    case "add":
    case "replace":
      return put(document, parts(path), required(value), op === "replace");
    case "remove":
      return take(document, parts(path)).rest;
    case "move": {
      const { rest, taken } = take(document, parts(required(from)));
      return put(rest, parts(path), taken, false);
    }
    case "copy":
      return put(
        document,
        parts(path),
        structuredClone(read(document, parts(required(from)))) as Json,
        false,
      );
    case "test":
      if (!sameJson(read(document, parts(path)), value)) throw new Error(`the test at ${path} fails`);
      return document;
    default:
      throw new Error(`JSON Patch has no ${op}`);
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a JSON Patch step lacks a member");
  return value;
}

function parts(path: string): readonly string[] {
  if (path !== "" && !path.startsWith("/")) throw new Error(`${path} is no JSON pointer`);
  return path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

type Holder = Record<string, Json> | Json[];

function holderOf(document: Json, path: readonly string[]): Holder {
  let found: Json | undefined = document;
  for (const part of path.slice(0, -1)) found = memberOf(found, part);
  if (typeof found !== "object" || found === null) throw new Error(`nothing at /${path.join("/")}`);
  return found as Holder;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, Json>>)[name];
}

function read(document: Json, path: readonly string[]): Json {
  const found = path.reduce<Json | undefined>(memberOf, document);
  if (found === undefined) throw new Error(`nothing at /${path.join("/")}`);
  return found;
}

function put(document: Json, path: readonly string[], value: Json, mustExist: boolean): Json {
  const last = path.at(-1);
  if (last === undefined) return value;
  if (mustExist) read(document, path);
  const holder = holderOf(document, path);
  if (!Array.isArray(holder)) Object.defineProperty(holder, last, { value, ...PLAIN });
  else if (mustExist) holder[Number(last)] = value;
  else holder.splice(last === "-" ? holder.length : indexIn(holder, last), 0, value);
  return document;
}

/** As an assignment, also for a member that is called `__proto__`. */
const PLAIN = { writable: true, enumerable: true, configurable: true } as const;

function indexIn(list: readonly Json[], text: string): number {
  const index = Number(text);
  if (!/^\d+$/.test(text) || index > list.length) throw new Error(`${text} is no place in the list`);
  return index;
}

function take(document: Json, path: readonly string[]): { readonly rest: Json; readonly taken: Json } {
  const taken = read(document, path);
  const last = path.at(-1);
  if (last === undefined) return { rest: null, taken };
  const holder = holderOf(document, path);
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return { rest: document, taken };
}
