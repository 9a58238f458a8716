/** What LangGraph's SQLite checkpointer wants of its driver, over the SQLite that Node has: nothing to compile. */

import { DatabaseSync, type SQLInputValue } from "node:sqlite";

export function nodeSqlite(path: string) {
  const database = new DatabaseSync(path);
  return {
    pragma: (text: string) => database.exec(`PRAGMA ${text}`),
    exec: (sql: string) => database.exec(sql),
    prepare: (sql: string) => {
      const statement = database.prepare(sql);
      return {
        get: (...values: SQLInputValue[]) => statement.get(...values.map(known)),
        all: (...values: SQLInputValue[]) => statement.all(...values.map(known)),
        run: (...values: SQLInputValue[]) => statement.run(...values.map(known)),
      };
    },
    transaction:
      <Args extends unknown[]>(work: (...args: Args) => void) =>
      (...args: Args) => {
        database.exec("BEGIN IMMEDIATE");
        try {
          work(...args);
          database.exec("COMMIT");
        } catch (error) {
          database.exec("ROLLBACK");
          throw error;
        }
      },
    close: () => database.close(),
  };
}

function known(value: SQLInputValue | undefined): SQLInputValue {
  return value ?? null;
}
