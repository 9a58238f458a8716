/**
 * The documentation holds: its settings are read, its links lead somewhere, its commands are run. That its code compiles is
 * checked by `npm run types`.
 */

import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../packages/server/src/system/config.ts";
import { blocks, pages, ROOT, textOf } from "./pages.ts";
import { SHELL_BLOCKS } from "./shell-blocks.ts";

/** Whatever variable a page names. */
function environment(code: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...code.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => [name, "secret"]));
}

test.each(blocks.filter(({ language }) => language === "yaml"))(
  "the settings in $page, block $n, can be parsed",
  ({ code }) => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-docs-"));
    try {
      const before = JSON.stringify(readConfig({}, folder));
      // A file of rules has the form that the same members have in holdpoint.yaml.
      const isOwn = code.startsWith("# holdpoint.yaml") || /^rules:/m.test(code);
      const name = isOwn ? "holdpoint.yaml" : "openintent.yaml";
      writeFileSync(join(folder, name), code);
      expect(JSON.stringify(readConfig(environment(code), folder))).not.toBe(before);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.each(pages)("every link in %s leads to a file", (page) => {
  const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
});

test("every picture is shown on a page and has at most 60 kB", () => {
  const shown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/src="([^"]+)"/g)].map(([, path = ""]) => path),
  );
  const kept = globSync("docs/pictures/*", { cwd: ROOT });
  expect(new Set(shown)).toEqual(new Set(kept));
  expect(kept.filter((path) => statSync(join(ROOT, path)).size > 60_000)).toEqual([]);
});

test("every command that a page shows is run by a test", () => {
  const shown = blocks
    .filter(({ language, page }) => language === "sh" && page !== "docs/reference/api.md")
    .map(({ page, n }) => `${page} ${n}`);
  expect(shown).toEqual(Object.keys(SHELL_BLOCKS));
});

/** Every command line has a process of its own, so its table is read and not loaded. */
const commands = [...textOf("packages/server/src/cli/commands.ts").matchAll(/^ {2}(\w+): async/gm)].map(
  ([, name = ""]) => name,
);

test.each(pages)("every script and every command that %s names exists", (page) => {
  const named = (of: RegExp) => [...textOf(page).matchAll(of)].map(([, name = ""]) => name);
  const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: object };
  expect(
    named(/npm run (?:--silent )?([a-z][\w:]*)/g).filter((name) => !Object.hasOwn(scripts, name)),
  ).toEqual([]);
  const typed = named(/(?:`holdpoint|npm run (?:--silent )?holdpoint --) ([a-z]+)/g);
  expect(typed.filter((name) => !commands.includes(name))).toEqual([]);
});

test("every code block has a language that a test checks", () => {
  const known = ["", "sh", "ts", "tsx", "yaml", "sql", "text"];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
});
