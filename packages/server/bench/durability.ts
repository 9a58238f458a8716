/** What a PostgreSQL syncs to disk before it acknowledges a commit. */

import pg from "pg";

export async function durabilityOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const show = async (name: string) => (await client.query(`SHOW ${name}`)).rows[0][name];
  const said = `PostgreSQL, fsync=${await show("fsync")}, synchronous_commit=${await show("synchronous_commit")}`;
  await client.end();
  return said;
}
