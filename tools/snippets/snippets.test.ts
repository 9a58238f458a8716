import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocks } from "../../e2e/docs/pages.ts";
import { commentSnippets, examplesOf } from "./comments.ts";
import { pageSnippets } from "./pages.ts";
import { playgroundSnippets } from "./playground.ts";
import { filesOf, type Snippet } from "./snippet.ts";
import { writeSnippets } from "./write.ts";

const SNIPPET: Snippet = {
  source: "docs/a.md",
  line: 3,
  name: ".1",
  extension: "mts",
  code: "const a = 1;\n",
};

test("a snippet is compiled on the same line as in its source, after the names that the reader's program has", () => {
  const [[path, text] = ["", ""]] = filesOf([{ ...SNIPPET, around: "declare const b: number;" }]);
  expect(path).toBe(".snippets/docs/a.md.1.mts");
  const lines = text.split("\n");
  expect(lines[0]).toMatch(/^\/\* From docs\/a\.md, .* \*\/declare const b: number;$/);
  expect(lines.slice(1, 3)).toEqual(["", "const a = 1;"]);
});

test("snippets with one name are compiled as one program, each on its own line", () => {
  const later = { ...SNIPPET, line: 7, code: "use(a);\n" };
  const [text = ""] = filesOf([SNIPPET, later]).values();
  expect(text.split("\n").slice(2, 7)).toEqual(["const a = 1;", "", "", "", "use(a);"]);
});

test("a name that a snippet declares counts as used, and an import that it does not use does not", () => {
  const code = `import { x } from "x";\nconst { a, b: [c = 1, ...d] } = y;\nfunction e() {}\nexport class F {}\n`;
  const [text = ""] = filesOf([{ ...SNIPPET, code }]).values();
  expect(text.trimEnd().split("\n").at(-1)).toBe("export { a, c, d, e };");
});

test("a snippet that does not parse is left to the compiler, which names its line", () => {
  const [text = ""] = filesOf([{ ...SNIPPET, code: "const const\n" }]).values();
  expect(text).toContain("const const");
});

test("an example in a comment gets the exports of its package that it uses, and the reader's own names", () => {
  const comment = `/**\n * Guards.\n *\n * \`\`\`ts\n * const tools = guard({ pay: () => payments.refund("7", 1) }, () => allow("free"));\n * \`\`\`\n */\n`;
  const [example] = examplesOf("packages/gate/src/guard.ts", comment);
  expect(example).toMatchObject({ line: 5, extension: "mts", name: ".1" });
  expect(example?.code).toBe(
    `const tools = guard({ pay: () => payments.refund("7", 1) }, () => allow("free"));\n`,
  );
  expect(example?.around).toMatch(/^import \{ .*\ballow\b.* \} from "@holdpoint\/gate";/);
  expect(example?.around).toContain("declare const payments: ");
});

test("every TypeScript block of the pages, every example in a comment and every playground template is compiled", () => {
  const shown = blocks.filter(({ language }) => language === "ts" || language === "tsx");
  expect(shown.length).toBeGreaterThan(8);
  const sources = pageSnippets().map(({ source, line }) => `${source}:${line}`);
  for (const { page, line } of shown) expect(sources).toContain(`${page}:${line}`);
  expect(commentSnippets().length).toBeGreaterThan(50);
  expect(playgroundSnippets().length).toBeGreaterThanOrEqual(24);
});

test("writing again changes no file, and a snippet that is gone is removed", () => {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-snippets-"));
  try {
    const gone = { ...SNIPPET, name: ".2" };
    writeSnippets(root, filesOf([SNIPPET, gone]));
    const kept = join(root, ".snippets/docs/a.md.1.mts");
    const before = statSync(kept);
    writeSnippets(root, filesOf([SNIPPET]));
    expect(statSync(kept)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(() => readFileSync(join(root, ".snippets/docs/a.md.2.mts"))).toThrow("ENOENT");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
