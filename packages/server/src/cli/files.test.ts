/** Uploaded files are part of a backup and of a migration to PostgreSQL and back. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { TABLE } from "../domains.ts";
import { gathered } from "../store/file-port.ts";
import { postgresFiles } from "../store/postgres/file-table.ts";
import { filesFolderOf, folderFiles } from "../store/sqlite/folder-files.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { temporaryFolder } from "../store/suite/temporary.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import { testServer } from "../testing/test-server.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const CONTENT = "signed by both";

async function withFile(path: string): Promise<string> {
  await using test = await testServer({
    store: openSqliteStore({ path, indexes: TABLE }),
    files: folderFiles(filesFolderOf(path)),
  });
  const form = { fields: [{ key: "doc", label: "Document", type: "x-file-upload" }] };
  const ask = { type: "input", prompt: "The document?", form };
  const { body: hold } = await test.call("POST", "/v1/holds", { key: test.keys.agent, body: ask });
  const key = test.keys.operator;
  const upload = `/v1/files?name=a.txt&hold_id=${hold.id}`;
  const { file_id, name, sha256 } = (await test.call("POST", upload, { key, body: CONTENT })).body;
  const answer = { action: "submit", data: { doc: { file_id, name, sha256 } } };
  await test.call("POST", `/v1/holds/${hold.id}/answer`, { key, body: answer });
  return file_id;
}

async function cli(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@holdpoint/source", MAIN, ...args],
    { env: { ...process.env, ...env } },
  );
  return stdout;
}

test("holdpoint backup and migrate copy uploaded files", async () => {
  await using folder = await temporaryFolder();
  await using database = await testDatabase();
  const path = join(folder.path, "holdpoint.db");
  const fileId = await withFile(path);
  const copy = join(folder.path, "copy.db");
  const home = { HOLDPOINT_HOME: folder.path, HOLDPOINT_DATABASE_URL: `sqlite:${path}` };
  expect(await cli(["backup", copy], home)).toContain("(1 files)");
  expect(await readFile(join(filesFolderOf(copy), fileId), "utf8")).toBe(CONTENT);

  expect(await cli(["migrate", "--from", `sqlite:${path}`, "--to", database.url], {})).toContain(
    "1 file rows",
  );
  const files = postgresFiles(database.url);
  const parts = await files.read(fileId);
  expect(Buffer.concat(await gathered(parts as AsyncIterable<Uint8Array>)).toString()).toBe(CONTENT);
  await files.close();

  const again = join(folder.path, "again.db");
  await cli(["backup", again], { ...home, HOLDPOINT_DATABASE_URL: database.url });
  expect(await readFile(join(filesFolderOf(again), fileId), "utf8")).toBe(CONTENT);
}, 120_000);
