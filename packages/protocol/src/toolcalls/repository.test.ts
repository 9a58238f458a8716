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
  } finally {
    rmSync(root, { recursive: true });
  }
});
