import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCredentials } from "./credentials-file.ts";

let root: string;
const uid = process.getuid?.();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "holdpoint-sdk-"));
});
afterEach(() => rm(root, { recursive: true }));

async function leave(folder: string, key: string, url = "http://127.0.0.1:4100"): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "credentials.json"), JSON.stringify({ url, api_key: key }));
}

describe("findCredentials", () => {
  it("looks in the current folder, then in its parents", async () => {
    const deep = join(root, "a", "b");
    await mkdir(deep, { recursive: true });
    await leave(join(root, ".holdpoint"), "far");
    expect(await findCredentials({ folder: deep, home: undefined, uid })).toMatchObject({ apiKey: "far" });
    await leave(join(root, "a", ".holdpoint"), "near");
    expect(await findCredentials({ folder: deep, home: undefined, uid })).toMatchObject({ apiKey: "near" });
  });

  it("skips a file without credentials", async () => {
    await leave(join(root, ".holdpoint"), "good");
    await mkdir(join(root, "a", ".holdpoint"), { recursive: true });
    await writeFile(join(root, "a", ".holdpoint", "credentials.json"), "{");
    expect(await findCredentials({ folder: join(root, "a"), home: undefined, uid })).toMatchObject({
      apiKey: "good",
    });
  });

  it("looks only in the home folder when one is named", async () => {
    await leave(join(root, ".holdpoint"), "local");
    await leave(join(root, "home"), "named");
    expect(await findCredentials({ folder: root, home: join(root, "home"), uid })).toMatchObject({
      apiKey: "named",
    });
    expect(await findCredentials({ folder: root, home: join(root, "none"), uid })).toBeNull();
  });

  it("ignores a file that belongs to another user", async () => {
    await leave(join(root, ".holdpoint"), "planted");
    expect(
      await findCredentials({ folder: root, home: join(root, ".holdpoint"), uid: (uid ?? 0) + 1 }),
    ).toBeNull();
  });

  it("passes over a file for a server elsewhere that it only found, and names it when there is no other", async () => {
    const repository = join(root, "cloned");
    await leave(join(repository, ".holdpoint"), "planted", "https://evil.example");
    const found = () => findCredentials({ folder: repository, home: undefined, uid });
    expect(await found()).toMatchObject({
      apiKey: "planted",
      isNamed: false,
      path: join(repository, ".holdpoint", "credentials.json"),
    });
    await leave(join(root, ".holdpoint"), "own");
    expect(await found()).toMatchObject({ apiKey: "own" });
    // The user names the address, so that the file only says which key belongs there.
    const start = { folder: repository, home: undefined, uid };
    expect(await findCredentials({ ...start, url: "https://evil.example" })).toMatchObject({
      apiKey: "planted",
    });
    expect(await findCredentials({ ...start, url: "https://other.example" })).toMatchObject({
      apiKey: "own",
    });
    const home = join(repository, ".holdpoint");
    expect(await findCredentials({ folder: root, home, uid })).toMatchObject({ isNamed: true });
  });
});
