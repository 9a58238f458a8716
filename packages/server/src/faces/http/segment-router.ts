/**
 * Finds the handler of a path, one segment after another. A fixed word wins over a parameter at the same place, and both win over a
 * wildcard, which can only be the last segment. A path has one handler; there is no middleware.
 *
 * Written by hand, because every request runs through it: Hono's fastest router matches all paths of a method by one regular
 * expression, fills its hundred groups for each request, and takes no fixed word beside a parameter.
 */

import { METHOD_NAME_ALL, type Result, type Router, UnsupportedPathError } from "hono/router";

/** Made once for each route: its handler, and for each parameter its place among the values of a path. */
type Found<T> = [T, Record<string, number>][];

interface Place<T> {
  readonly words: Map<string, Place<T>>;
  parameter?: Place<T>;
  found?: Found<T>;
  /** Where a wildcard leads that follows here. */
  rest?: Found<T>;
}

const NOT_FOUND: Result<never> = [[], []];
const WILDCARD = "/*";
/** Other signs of Hono's patterns: inner wildcards, regular expressions, optional parameters. */
const PATTERN = /[*{}?]/;

export class SegmentRouter<T> implements Router<T> {
  readonly name = "SegmentRouter";
  readonly #methods = new Map<string, Place<T>>();

  add(method: string, path: string, handler: T): void {
    const isWild = path.endsWith(WILDCARD);
    const named = isWild ? path.slice(0, -WILDCARD.length) : path;
    if (method === METHOD_NAME_ALL || PATTERN.test(named)) throw new UnsupportedPathError(path);
    const names: Record<string, number> = {};
    let parameters = 0;
    let place = this.#methods.get(method) ?? newPlace<T>();
    this.#methods.set(method, place);
    for (const segment of named === "" ? [] : named.slice(1).split("/")) {
      if (segment.startsWith(":")) {
        names[segment.slice(1)] = parameters;
        parameters += 1;
        place.parameter ??= newPlace();
        place = place.parameter;
      } else {
        const next = place.words.get(segment) ?? newPlace<T>();
        place.words.set(segment, next);
        place = next;
      }
    }
    const kind = isWild ? "rest" : "found";
    if (place[kind] !== undefined) throw new Error(`Invariant: ${method} ${path} is mounted twice`);
    place[kind] = [[handler, names]];
  }

  match(method: string, path: string): Result<T> {
    const place = this.#methods.get(method);
    if (place === undefined) return NOT_FOUND;
    const values: string[] = [];
    const found = find(place, path, 1, values);
    return found === undefined ? NOT_FOUND : [found, values];
  }
}

function newPlace<T>(): Place<T> {
  return { words: new Map() };
}

/** What the path leads to, from the segment that begins at `from`. Adds the values of its parameters to `values`. */
function find<T>(place: Place<T>, path: string, from: number, values: string[]): Found<T> | undefined {
  if (from > path.length) return place.found ?? place.rest;
  const slash = path.indexOf("/", from);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(from, end);
  const next = place.words.get(segment);
  const found = next === undefined ? undefined : find(next, path, end + 1, values);
  if (found !== undefined) return found;
  if (place.parameter === undefined || segment === "") return place.rest;
  values.push(segment);
  const below = find(place.parameter, path, end + 1, values);
  if (below !== undefined) return below;
  values.pop();
  return place.rest;
}
