/** Where a test keeps its data, if the run is about PostgreSQL. Apart from the stores, so that global set-up can use it. */

import { randomUUID } from "node:crypto";

/** Set by `postgres/whole-file.ts`: the database of the test file that is running. */
export const DATABASE = "HOLDPOINT_TEST_DATABASE_URL";

/** A database that the test's file may use, if the run is about PostgreSQL. */
export function freshDatabaseUrl(): string | undefined {
  const url = process.env[DATABASE];
  return url && `${url}?schema=s${randomUUID().replaceAll("-", "").slice(0, 12)}`;
}
