/**
 * LangGraph's SQLite checkpointer over the SQLite that Node brings along, so that the example has nothing to compile. Where
 * better-sqlite3 is built, `SqliteSaver.fromConnString(path)` is all it takes.
 */

import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Values = readonly (SQLInputValue | undefined)[];

export function sqliteDriver(path: string) {
  const database = new DatabaseSync(path);
  const nulls = (values: Values) => values.map((value) => value ?? null);
  const inTransaction = (work: () => void) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      work();
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    exec: (sql: string) => database.exec(sql),
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return {
        get: (...values: Values) => statement.get(...nulls(values)),
        all: (...values: Values) => statement.all(...nulls(values)),
        run: (...values: Values) => statement.run(...nulls(values)),
      };
    },
    transaction:
      <Given extends unknown[]>(work: (...given: Given) => void) =>
      (...given: Given) =>
        inTransaction(() => work(...given)),
  };
}
