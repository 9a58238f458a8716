import { describe, expect, test } from "vitest";
import { grantArgs, matchesGrant } from "./grant-terms.ts";
import { explainSimilar, similarInRepository } from "./similar.ts";

const push = { command: "git push", cwd: "/repo/docs", repository: "/repo" };

describe("similar calls in the same repository", () => {
  test("are calls with the same repository, whatever their other arguments are", () => {
    const terms = similarInRepository("Bash", push);
    expect(terms).toEqual({ for: "2h", uses: 20, args: { command: "any", cwd: "any" } });
    const allowed = grantArgs(push, terms?.args ?? {}) as Exclude<
      ReturnType<typeof grantArgs>,
      readonly unknown[]
    >;
    expect(matchesGrant(allowed, { command: "git fetch", cwd: "/repo", repository: "/repo" })).toBe(true);
    for (const other of ["/repo2", "/repo/", "/REPO", "", null])
      expect(matchesGrant(allowed, { ...push, repository: other })).toBe(false);
    const { repository: _gone, ...outside } = push;
    expect(matchesGrant(allowed, outside)).toBe(false);
    expect(matchesGrant(allowed, { ...push, sudo: true })).toBe(false);
  });

  test("are offered for edits too, and not where no repository is known or the call is no coding agent's", () => {
    const edit = { file_path: "/repo/a", diff: "", repository: "/repo" };
    expect(similarInRepository("Edit", edit)?.args).toEqual({
      file_path: "any",
      diff: "any",
    });
    expect(similarInRepository("Bash", { command: "ls", cwd: "/tmp" })).toBeUndefined();
    expect(similarInRepository("Edit", { ...edit, touches: ".git" })).toBeUndefined();
    expect(similarInRepository("issue", { title: "Bug", repository: "acme/shop" })).toBeUndefined();
  });

  test("are not offered where the model itself chose the repository, or words that read like the page's own", () => {
    expect(similarInRepository("mcp__cluster__exec", push)).toBeUndefined();
    const write = { file_path: "/repo/a", repository: "/repo" };
    for (const tool of ["files__write", "write", "Bash", undefined])
      expect(similarInRepository(tool, write)).toBeUndefined();
    expect(similarInRepository(undefined, push)).toBeUndefined();
    for (const repository of [
      "acme/shop",
      "this call",
      "/a” and nothing else. “b",
      "/a\nonly",
      '/a"',
      "/a\u2028b",
      "/a\u202eb",
    ])
      expect(similarInRepository("Bash", { ...push, repository })).toBeUndefined();
    expect(similarInRepository("Bash", { ...push, "x” must be the same. “y": 1 })).toBeUndefined();
    expect(similarInRepository("Bash", { ...push, repository: "C:\\work\\my shop" })).toBeDefined();
  });

  test("are said in words that name agent, tool, place, number, time and what may differ", () => {
    expect(explainSimilar("coder", "Bash", push)).toBe(
      "Besides this call, coder may call Bash up to 20 times within 2 hours without asking, only while “repository” is “/repo”. “command” and “cwd” may be anything. A command that starts there can also change what is elsewhere. Calls that another rule asks about or denies are not included. An operator can revoke it at any time.",
    );
    expect(explainSimilar("coder", "Read", { file_path: "/repo/a", repository: "/repo" })).toContain(
      "“file_path” may be anything. Files of Git, of coding agents and of Holdpoint are not included.",
    );
  });
});
