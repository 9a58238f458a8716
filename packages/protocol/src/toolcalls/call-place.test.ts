import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeFinder } from "./call-place.ts";

test("a call's repository is the nearest folder with .git, of files that exist or not, and links do not pretend", async () => {
  const placeOf = await placeFinder();
  const repositoryOf = (path: string) => placeOf?.(path).repository;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hp-repository-")));
  try {
    const [repo, other] = [join(root, "repo"), join(root, "other")];
    mkdirSync(join(repo, ".git"), { recursive: true });
    mkdirSync(join(repo, "docs"));
    mkdirSync(other);
    writeFileSync(join(other, ".git"), "gitdir: elsewhere\n");
    symlinkSync(other, join(repo, "link"));
    expect(repositoryOf(join(repo, "docs"))).toBe(repo);
    expect(repositoryOf(join(repo, "new", "folder", "file.ts"))).toBe(repo);
    expect(repositoryOf(join(repo, "docs", "..", "..", "other", "a.ts"))).toBe(other);
    expect(repositoryOf(join(repo, "link", "a.ts"))).toBe(other);
    expect(repositoryOf(root)).toBeUndefined();
    // The system follows the link and then goes up; a program that shortens the path first stays inside.
    mkdirSync(join(other, "deep"));
    symlinkSync(join(other, "deep"), join(repo, "deep"));
    expect(repositoryOf(`${repo}/deep/../a.ts`)).toBeUndefined();
    expect(repositoryOf(`${repo}/missing/../../other/a.ts`)).toBeUndefined();
    expect(repositoryOf(`${repo}/docs/../a.ts`)).toBe(repo);
    // Writing to a link without a target makes the target.
    symlinkSync(join(other, "not-yet.ts"), join(repo, "dangling.ts"));
    expect(repositoryOf(join(repo, "dangling.ts"))).toBeUndefined();
    expect(repositoryOf(join(repo, "dangling.ts", "a"))).toBeUndefined();
    expect(repositoryOf(`${repo}/a\0b`)).toBeUndefined();
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a path below .git, or of the settings of an agent or of Holdpoint, says so, by whatever name or link it is reached", async () => {
  const placeOf = await placeFinder();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hp-touches-")));
  const repo = join(root, "repo");
  try {
    mkdirSync(join(repo, ".git", "hooks"), { recursive: true });
    mkdirSync(join(repo, "docs"));
    symlinkSync(join(repo, ".git", "hooks"), join(repo, "docs", "hooks"));
    const found = (path: string) => placeOf?.(`${repo}/${path}`);
    for (const path of [
      ".git/hooks/pre-commit",
      ".GIT/config",
      ".git./config",
      ".g\u200cit/config",
      "git~1/config",
      ".git::$INDEX_ALLOCATION/config",
      "docs/../.git/config",
      "docs/hooks/pre-commit",
      "docs/new/.git/config",
      ".git",
    ])
      expect([path, found(path)]).toEqual([path, { repository: repo, touches: ".git" }]);
    for (const [path, touches] of [
      [".claude/settings.json", ".claude"],
      [".codex/hooks.json", ".codex"],
      [".cursor/hooks.json", ".cursor"],
      ["docs/.holdpoint/credentials.json", ".holdpoint"],
      ["holdpoint.yaml", "holdpoint.yaml"],
      [".husky/pre-commit", ".husky"],
      [".mcp.json", ".mcp.json"],
      ["CLAUDE~1/settings.json", ".claude"],
      ["MCP~1.JSO", ".mcp.json"],
    ])
      expect(found(path ?? "")).toEqual({ repository: repo, touches });
    for (const path of [
      "docs/git.md",
      ".gitignore",
      ".github/ci.yml",
      "docs/x.git/a",
      "claude.md",
      "claud~1",
      "notes~1/a",
    ])
      expect(found(path)).toEqual({ repository: repo });
    // A worktree below a guarded folder is a repository of its own.
    const worktree = join(repo, ".claude", "worktrees", "one");
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(worktree, ".git"), "gitdir: elsewhere\n");
    expect(placeOf?.(join(worktree, "a.ts"))).toEqual({ repository: worktree });
    expect(placeOf?.(join(worktree, ".git"))).toEqual({ repository: worktree, touches: ".git" });
    // Where no repository is known, the whole path counts.
    expect(placeOf?.(join(root, ".claude", "settings.json"))).toEqual({ touches: ".claude" });
  } finally {
    rmSync(root, { recursive: true });
  }
});
