/** Counts what a server asks of its database: statements, and how often a connection that had nothing under way was asked. */

import pg from "pg";
import { Group } from "../src/store/postgres/pipeline.ts";

export interface Asked {
  readonly statements: number;
  /** Statements sent while others of the same connection are under way travel with them. */
  readonly roundTrips: number;
}

type Query = (...args: unknown[]) => Promise<unknown> | Group;

export function countAsked(): () => Asked {
  let [statements, roundTrips] = [0, 0];
  const underWay = new WeakMap<pg.Client, number>();
  const { prototype } = pg.Client as unknown as { readonly prototype: { query: Query } };
  const { query } = prototype;
  prototype.query = function counted(this: pg.Client, ...args) {
    const before = underWay.get(this) ?? 0;
    const [first] = args;
    statements += first instanceof Group ? first.size : 1;
    if (before === 0) roundTrips += 1;
    underWay.set(this, before + 1);
    const answered = () => void underWay.set(this, (underWay.get(this) ?? 1) - 1);
    const callback = args.at(-1);
    // The pool asks with a callback, everybody else waits for a promise.
    if (typeof callback === "function") {
      const heard = (...answer: unknown[]) => {
        answered();
        callback(...answer);
      };
      return query.apply(this, [...args.slice(0, -1), heard]);
    }
    const asked = query.apply(this, args);
    (asked instanceof Group ? asked.ended : asked).then(answered, answered);
    return asked;
  };
  return () => ({ statements, roundTrips });
}
