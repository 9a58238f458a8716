import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../suite/temporary.ts";
import { backUp } from "./backup.ts";
import { connectWriter } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";

interface Source extends AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  /** Adds a row, like a commit during the backup. */
  write(): void;
}

/** Large enough for several copy steps. */
async function largeSource(): Promise<Source> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "holdpoint.db");
  const db = connectWriter(path);
  migrate(db, path, readMigrations());
  const insert = db.prepare("INSERT INTO entity VALUES ('default', 'person', ?, 1, 0, '', NULL, ?)");
  let rows = 0;
  const write = () => {
    rows += 1;
    insert.run(`p${rows}`, "x".repeat(8000));
  };
  db.exec("BEGIN");
  for (let row = 0; row < 1200; row += 1) write();
  db.exec("COMMIT");
  const dispose = async () => {
    db.close();
    await folder[Symbol.asyncDispose]();
  };
  return { folder: folder.path, path, write, [Symbol.asyncDispose]: dispose };
}

function countRows(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare("SELECT count(*) AS rows FROM entity").get();
  db.close();
  return row?.rows;
}

describe("a backup of a file that is written meanwhile", () => {
  it("a backup shows the state when it began and does not restart when the file is written", async () => {
    await using source = await largeSource();
    const target = join(source.folder, "backup.db");
    const shares: number[] = [];
    await backUp(source.path, target, (share) => {
      shares.push(share);
      source.write();
    });
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(countRows(target)).toBe(1200);
    expect(countRows(source.path)).toBe(1200 + shares.length);
  });

  it("a backup is one file that needs no other files, even while it is read", async () => {
    await using source = await largeSource();
    const target = join(source.folder, "backup.db");
    await backUp(source.path, target, () => {});
    const db = new DatabaseSync(target, { readOnly: true });
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(readdirSync(source.folder).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"]);
    db.close();
  });

  it("a backup that is aborted leaves no file", async () => {
    await using source = await largeSource();
    const target = join(source.folder, "backup.db");
    const giveUp = () => {
      throw new Error("enough");
    };
    await expect(backUp(source.path, target, giveUp)).rejects.toThrow("enough");
    expect(readdirSync(source.folder).filter((name) => name.startsWith("backup"))).toEqual([]);
  });
});
