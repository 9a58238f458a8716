/**
 * One regular expression matches any number of paths at the price of one, but cannot hold a fixed word and a parameter in
 * the same place below another parameter. The few paths it refuses are looked for after it, and wildcards with them; the
 * first of these that was added wins. A path has one handler: there is no middleware, whose order two routers could not keep.
 */

import { METHOD_NAME_ALL, type Result, type Router, UnsupportedPathError } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";

export class TwoRouters<T> implements Router<T> {
  readonly name = "TwoRouters";
  readonly #fast = new RegExpRouter<T>();
  readonly #rest = new TrieRouter<T>();

  add(method: string, path: string, handler: T): void {
    if (method === METHOD_NAME_ALL) throw new UnsupportedPathError(path);
    if (!path.includes("*") && this.#isTaken(method, path, handler)) return;
    this.#rest.add(method, path, handler);
  }

  #isTaken(method: string, path: string, handler: T): boolean {
    try {
      this.#fast.add(method, path, handler);
      return true;
    } catch (fault) {
      if (fault instanceof UnsupportedPathError) return false;
      throw fault;
    }
  }

  match(method: string, path: string): Result<T> {
    const found = this.#fast.match(method, path);
    return found[0].length > 0 ? found : this.#rest.match(method, path);
  }
}
