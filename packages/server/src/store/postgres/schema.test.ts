/**
 * Compares the schema that the migrations create with the committed snapshot, so that every change of it is visible.
 */

import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, it } from "vitest";
import { systemClock } from "../../system/clock.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { indexes } from "../suite/fixture.ts";
import { openPostgresStore } from "./open.ts";

const COLUMNS = `SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attcollation = 'pg_catalog."C"'::regcollation THEN ' COLLATE "C"' ELSE '' END
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS line
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'holdpoint'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.relname COLLATE "C", a.attnum`;
const INDEXES = `SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'holdpoint' ORDER BY indexname COLLATE "C"`;
const FUNCTIONS = `SELECT pg_get_functiondef(oid) AS line FROM pg_proc WHERE pronamespace = 'holdpoint'::regnamespace`;

it("the migrations create the schema of schema.snapshot.sql", async () => {
  await using database = await testDatabase();
  await (await openPostgresStore({ url: database.url, indexes, clock: systemClock })).close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const lines: string[] = [];
  for (const text of [COLUMNS, INDEXES, FUNCTIONS]) {
    const { rows } = await client.query<{ line: string }>(text);
    lines.push(...rows.map(({ line }) => line), "");
  }
  await client.end();
  const snapshot = readFileSync(new URL("./schema.snapshot.sql", import.meta.url), "utf8");
  expect(lines.join("\n")).toBe(snapshot);
});
