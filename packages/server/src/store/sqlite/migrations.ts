/**
 * The numbered SQL files. If a migration changes stored data, its first line says `-- breaking: <why>`, and the file
 * is copied before it runs.
 */

import { readdirSync, readFileSync } from "node:fs";

export interface Migration {
  readonly number: number;
  readonly sql: string;
  readonly isBreaking: boolean;
}

const FOLDER = new URL("./migrations/", import.meta.url);

export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{6}\.sql$/.test(name))
    .sort();
  return names.map((name, at) => {
    const number = Number.parseInt(name, 10);
    if (number !== at + 1)
      throw new Error(`migration ${at + 1} is missing; the migrations must be numbered without a gap`);
    return migration(number, readFileSync(new URL(name, folder), "utf8"));
  });
}

export function migration(number: number, sql: string): Migration {
  return { number, sql, isBreaking: sql.startsWith("-- breaking:") };
}

export function migrationName(number: number): string {
  return String(number).padStart(6, "0");
}
