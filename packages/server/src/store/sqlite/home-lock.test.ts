import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StoreError } from "../store-error.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { startChild } from "./child.ts";
import { HomeLock, readHolder } from "./home-lock.ts";

const SELF = { pid: process.pid, since: "2026-01-01T00:00:00Z", url: null };

describe("the lock of a home folder", () => {
  it("a home folder has one lock holder, and a file beside the lock names it", async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "new", "home");
    const lock = HomeLock.take(home, SELF);
    expect(readHolder(home)).toEqual(SELF);
    expect(() => HomeLock.take(home, SELF)).toThrow(StoreError);
    lock.announce("http://127.0.0.1:4100");
    expect(readHolder(home)).toEqual({ ...SELF, url: "http://127.0.0.1:4100" });
    lock.release();
    lock.release();
    expect(readHolder(home)).toBeNull();
    await using again = HomeLock.take(home, SELF);
    expect(again).toBeInstanceOf(HomeLock);
  });

  it("locking a home folder that cannot be created or written fails with home_unusable", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "a-file");
    writeFileSync(file, "");
    const unusable = { name: "StoreError", code: "home_unusable", message: expect.stringContaining(file) };
    expect(failure(file)).toMatchObject(unusable);
    const foreign = join(folder.path, "foreign");
    mkdirSync(join(foreign, "server.lock"), { recursive: true });
    expect(failure(foreign)).toMatchObject({ code: "home_unusable", details: { home: foreign } });
  });

  it("another process gets home_in_use with the holder's name, and the lock is free after the holder was killed", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    await using child = startChild("./home-lock.child.ts", home);
    expect(await child.lines.next()).toMatchObject({ value: "taken" });
    const holder = { pid: expect.any(Number), since: "2026-01-02T03:04:05Z", url: "http://127.0.0.1:4100" };
    expect(failure(home)).toMatchObject({ code: "home_in_use", details: { home, holder } });
    expect(failure(home).message).toMatch(
      /is in use by process \d+ since 2026-01-02T03:04:05Z, at http:\/\/127.0.0.1:4100\. Stop it first, or set HOLDPOINT_HOME/,
    );
    await child.kill();
    expect(readHolder(home)).toMatchObject({ since: "2026-01-02T03:04:05Z" });
    await using lock = HomeLock.take(home, SELF);
    expect(lock).toBeInstanceOf(HomeLock);
    expect(readHolder(home)).toEqual(SELF);
  });

  it("the operating system decides who holds the lock, not the file that names the holder", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeFileSync(
      join(home, "server.json"),
      JSON.stringify({ pid: process.pid, since: "long ago", url: null }),
    );
    await using lock = HomeLock.take(home, SELF);
    writeFileSync(join(home, "server.json"), "half a fi");
    expect(failure(home).message).toContain("is in use by another process.");
    expect(failure(home).details.holder).toBeNull();
    lock.release();
    expect(existsSync(join(home, "server.json"))).toBe(false);
  });

  it("a lock file that is not a database fails with that reason", async () => {
    await using folder = await temporaryFolder();
    const home = folder.path;
    writeFileSync(
      join(home, "server.lock"),
      "this is not a lock file, and far longer than an empty one would be".repeat(40),
    );
    expect(() => HomeLock.take(home, SELF)).toThrow("not a database");
  });
});

function failure(home: string): StoreError {
  try {
    HomeLock.take(home, SELF).release();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("Invariant: the home folder was locked twice");
}
