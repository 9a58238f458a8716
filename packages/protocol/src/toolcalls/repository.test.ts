import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryFinder } from "./repository.ts";

test("a call's repository is the nearest folder with .git, of files that exist or not, and links do not pretend", async () => {
  const repositoryOf = await repositoryFinder();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hp-repository-")));
  try {
    const [repo, other] = [join(root, "repo"), join(root, "other")];
    mkdirSync(join(repo, ".git"), { recursive: true });
    mkdirSync(join(repo, "docs"));
    mkdirSync(other);
    writeFileSync(join(other, ".git"), "gitdir: elsewhere\n");
    symlinkSync(other, join(repo, "link"));
    expect(repositoryOf?.(join(repo, "docs"))).toBe(repo);
    expect(repositoryOf?.(join(repo, "new", "folder", "file.ts"))).toBe(repo);
    expect(repositoryOf?.(join(repo, "docs", "..", "..", "other", "a.ts"))).toBe(other);
    expect(repositoryOf?.(join(repo, "link", "a.ts"))).toBe(other);
    expect(repositoryOf?.(root)).toBeUndefined();
    // The system follows the link and then goes up; a program that shortens the path first stays inside.
    mkdirSync(join(other, "deep"));
    symlinkSync(join(other, "deep"), join(repo, "deep"));
    expect(repositoryOf?.(`${repo}/deep/../a.ts`)).toBeUndefined();
    expect(repositoryOf?.(`${repo}/missing/../../other/a.ts`)).toBeUndefined();
    expect(repositoryOf?.(`${repo}/docs/../a.ts`)).toBe(repo);
    // Writing to a link without a target makes the target.
    symlinkSync(join(other, "not-yet.ts"), join(repo, "dangling.ts"));
    expect(repositoryOf?.(join(repo, "dangling.ts"))).toBeUndefined();
    expect(repositoryOf?.(join(repo, "dangling.ts", "a"))).toBeUndefined();
    expect(repositoryOf?.(`${repo}/a\0b`)).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true });
  }
});
