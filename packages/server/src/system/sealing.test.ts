import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSealer, sealerOf } from "./sealing.ts";
import { sealerFromFile } from "./secret-key.ts";

test("a secret is opened with the same key for the same thing, and is not readable in between", () => {
  const sealed = sealerOf("key").seal("123:token", "telegram");
  expect(Buffer.from(sealed, "base64url").includes("token")).toBe(false);
  expect(sealerOf("key").open(sealed, "telegram")).toBe("123:token");
  expect(sealerOf("key").seal("123:token", "telegram")).not.toBe(sealed);
});

test("another key, another thing and a changed text open nothing", () => {
  const sealed = sealerOf("key").seal("123:token", "telegram");
  expect(newSealer().open(sealed, "telegram")).toBeUndefined();
  expect(sealerOf("key").open(sealed, "slack")).toBeUndefined();
  expect(sealerOf("key").open(`${sealed.slice(0, -4)}AAAA`, "telegram")).toBeUndefined();
  expect(sealerOf("key").open("", "telegram")).toBeUndefined();
});

test("the key file is made once, for this user only, and read by the next start", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-sealing-"));
  const path = join(folder, "secret-key");
  const sealed = sealerFromFile(path).seal("123:token", "telegram");
  expect(sealerFromFile(path).open(sealed, "telegram")).toBe("123:token");
  expect(statSync(path).mode & 0o077).toBe(0);
  writeFileSync(path, "\n");
  expect(() => sealerFromFile(path)).toThrow(/has no secret key/);
  rmSync(folder, { recursive: true });
});
