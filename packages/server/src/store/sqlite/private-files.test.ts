import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commit, holdBody, indexes, key, put } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { HomeLock } from "./home-lock.ts";
import { openSqliteStore } from "./open.ts";

const SELF = { pid: process.pid, since: "2026-01-01T00:00:00Z", url: null };
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("attack 7: the home folder and every database file can be read by the server's own user only", async () => {
  await using folder = await temporaryFolder();
  const home = join(folder.path, "home");
  await using _lock = HomeLock.take(home, SELF);
  const path = join(home, "holdpoint.db");
  await using store = openSqliteStore({ path, indexes });
  await commit(store, { puts: [put(key("h1"), 0, holdBody())] });
  expect(modeOf(home)).toBe("700");
  const files = readdirSync(home);
  expect(files).toEqual(
    expect.arrayContaining(["holdpoint.db", "holdpoint.db-wal", "server.json", "server.lock"]),
  );
  for (const name of files) expect([name, modeOf(join(home, name))]).toEqual([name, "600"]);
});

it("a server starts beside a key that it may read and whose mode it cannot change", async () => {
  await using folder = await temporaryFolder();
  // Nobody can change the mode of this one, not even the superuser. Systems without it have no such key to test.
  symlinkSync("/proc/self/status", join(folder.path, "signing-key.json"));
  await using _lock = HomeLock.take(folder.path, SELF);
  expect(modeOf(join(folder.path, "server.lock"))).toBe("600");
});

it("attack 7: files and folders that an earlier version left open to others are closed when a server starts", async () => {
  await using folder = await temporaryFolder();
  const home = join(folder.path, "home");
  HomeLock.take(home, SELF).release();
  const path = join(home, "holdpoint.db");
  await openSqliteStore({ path, indexes }).close();
  const secrets = [
    "credentials.json",
    "signing-key.json",
    "result-key.json",
    "secret-key",
    "last-checkpoint.json",
  ];
  for (const name of secrets) writeFileSync(join(home, name), "{}");
  writeFileSync(join(home, "holdpoint.yaml"), "");
  for (const name of readdirSync(home)) chmodSync(join(home, name), 0o644);
  chmodSync(home, 0o755);
  HomeLock.take(home, SELF).release();
  await openSqliteStore({ path, indexes }).close();
  expect(modeOf(home)).toBe("700");
  for (const name of [...secrets, "server.lock", "holdpoint.db"])
    expect([name, modeOf(join(home, name))]).toEqual([name, "600"]);
  expect(modeOf(join(home, "holdpoint.yaml")), "the operator's own file stays as it is").toBe("644");
});
