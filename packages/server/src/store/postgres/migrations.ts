/** The numbered SQL files. Each one only adds, because servers of the previous version may still be running. */

import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./migrations/", import.meta.url);

export function readMigrations(folder: URL = FOLDER): readonly string[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{6}\.sql$/.test(name))
    .sort();
  return names.map((name, at) => {
    if (Number.parseInt(name, 10) !== at + 1)
      throw new Error(`migration ${at + 1} is missing; the migrations must be numbered without a gap`);
    return readFileSync(new URL(name, folder), "utf8");
  });
}
