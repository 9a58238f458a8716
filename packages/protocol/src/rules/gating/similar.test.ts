import { describe, expect, test } from "vitest";
import { grantArgs, matchesGrant } from "./grant-terms.ts";
import { explainSimilar, similarInRepository } from "./similar.ts";

const push = { command: "git push", cwd: "/repo/docs", repository: "/repo" };

describe("similar calls in the same repository", () => {
  test("are calls with the same repository, whatever their other arguments are", () => {
    const terms = similarInRepository(push);
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
    expect(similarInRepository({ file_path: "/repo/a", diff: "", repository: "/repo" })?.args).toEqual({
      file_path: "any",
      diff: "any",
    });
    expect(similarInRepository({ command: "ls", cwd: "/tmp" })).toBeUndefined();
    expect(similarInRepository({ title: "Bug", repository: "acme/shop" })).toBeUndefined();
  });

  test("are said in words that name agent, tool, place, number, time and what may differ", () => {
    expect(explainSimilar("coder", "Bash", push)).toBe(
      "Besides this call, coder may call Bash up to 20 times within 2 hours without asking, in /repo only. “command” and “cwd” may be anything. Calls that another rule asks about or denies are not included. An operator can revoke it at any time.",
    );
    expect(explainSimilar("coder", "Read", { file_path: "/repo/a", repository: "/repo" })).toContain(
      "“file_path” may be anything",
    );
  });
});
