/**
 * One regular expression matches any number of paths at the price of one, but cannot hold a fixed word and a parameter in
 * the same place below another parameter. The few paths it refuses are looked for after it, and wildcards with them; the
 * first of these that was added wins. A path has one handler: there is no middleware, whose order two routers could not keep.
 */

import { METHOD_NAME_ALL, type Result, type Router, UnsupportedPathError } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";

interface Route {
  readonly method: string;
  readonly path: string;
}

type Match = (method: string, path: string) => Result<number>;

/** By their paths: servers of one process mount the same ones, and compile them once. */
const compiled = new Map<string, Match>();

export class TwoRouters<T> implements Router<T> {
  readonly name = "TwoRouters";
  readonly #routes: Route[] = [];
  readonly #handlers: T[] = [];
  /** A router returns the same list for the same route each time. */
  readonly #found = new WeakMap<Result<number>[0], Result<T>[0]>();
  #match: Match | undefined;

  add(method: string, path: string, handler: T): void {
    if (method === METHOD_NAME_ALL) throw new UnsupportedPathError(path);
    if (this.#match !== undefined) throw new Error(`Invariant: ${path} is added after the first request`);
    this.#routes.push({ method, path });
    this.#handlers.push(handler);
  }

  match(method: string, path: string): Result<T> {
    this.#match ??= matchOf(this.#routes);
    const result = this.#match(method, path);
    const handlers = this.#found.get(result[0]) ?? this.#handlersOf(result[0]);
    return (result.length === 1 ? [handlers] : [handlers, result[1]]) as Result<T>;
  }

  #handlersOf(found: Result<number>[0]): Result<T>[0] {
    const handlers = found.map(([at, parameters]) => [this.#handlers[at], parameters]) as Result<T>[0];
    this.#found.set(found, handlers);
    return handlers;
  }
}

function matchOf(routes: readonly Route[]): Match {
  const paths = routes.map(({ method, path }) => `${method} ${path}`).join("\n");
  const match = compiled.get(paths) ?? compile(routes);
  compiled.set(paths, match);
  return match;
}

function compile(routes: readonly Route[]): Match {
  const fast = new RegExpRouter<number>();
  const rest = new TrieRouter<number>();
  for (const [at, { method, path }] of routes.entries())
    if (path.includes("*") || !isTaken(fast, method, path, at)) rest.add(method, path, at);
  return (method, path) => {
    const found = fast.match(method, path);
    return found[0].length > 0 ? found : rest.match(method, path);
  };
}

function isTaken(router: RegExpRouter<number>, method: string, path: string, at: number): boolean {
  try {
    router.add(method, path, at);
    return true;
  } catch (fault) {
    if (fault instanceof UnsupportedPathError) return false;
    throw fault;
  }
}
