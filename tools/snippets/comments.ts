/**
 * The `@example`s in the comments of the packages' sources. They are short: what the package exports is used without an
 * import, and the reader's own names stand in them. Both are added here, so that the rest compiles as it stands.
 */

import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { ROOT } from "../tidy/tree.ts";
import { READERS_NAMES } from "./readers-names.ts";
import { declaredNames, type Snippet } from "./snippet.ts";

const SOURCES = "packages/*/src/**/*.{ts,tsx}";
const EXAMPLE = /^ *\* ```(tsx?)\n([\s\S]*?)^ *\* ```$/gm;

export function commentSnippets(): readonly Snippet[] {
  return globSync(SOURCES, { cwd: ROOT })
    .toSorted()
    .flatMap((source) => examplesOf(source, readFileSync(`${ROOT}/${source}`, "utf8")));
}

export function examplesOf(source: string, text: string): readonly Snippet[] {
  return [...text.matchAll(EXAMPLE)].map((found, index) => {
    const [, language, comment = ""] = found;
    const code = comment.replaceAll(/^ *\* ?/gm, "");
    const line = text.slice(0, found.index).split("\n").length + 1;
    const extension = language === "tsx" ? "tsx" : "mts";
    const snippet = { source, line, name: `.${index + 1}`, extension, code } as const;
    return { ...snippet, around: aroundOf(source, code, extension) };
  });
}

function aroundOf(source: string, code: string, extension: string): string {
  const missing = freeNames(code, extension);
  const own = READERS_NAMES.filter(({ at }) => at === undefined || source.startsWith(at));
  const declarations = [...missing].flatMap((name) => own.find((each) => each.name === name)?.declare ?? []);
  const wanted = new Set([...missing, ...freeNames(declarations.join(" "), "ts")]);
  return [...importsFor(source, wanted), ...declarations].join(" ");
}

/** Every variable and type in the code that it neither declares at its top nor imports. */
function freeNames(code: string, extension: string): ReadonlySet<string> {
  const { program } = parseSync(`snippet.${extension}`, code);
  const names = new Set<string>();
  /** Members and keys; a parent is visited before its children. */
  const others = new Set<number>();
  new Visitor({
    MemberExpression: ({ computed, property }) => void (computed || others.add(property.start)),
    Property: ({ computed, shorthand, key }) => void (computed || shorthand || others.add(key.start)),
    Identifier: ({ name, start }) => void (others.has(start) || names.add(name)),
    JSXIdentifier: ({ name }) => void names.add(name),
  }).visit(program);
  for (const name of program.body.flatMap(importedOrDeclared)) names.delete(name);
  return names;
}

function importedOrDeclared(node: ESTree.Node): readonly string[] {
  if (node.type === "ImportDeclaration") return node.specifiers.map(({ local }) => local.name);
  return declaredNames(node);
}

/** From the entry points of the package, the nearest to the source first. */
function importsFor(source: string, wanted: ReadonlySet<string>): readonly string[] {
  const left = new Set(wanted);
  return entriesOf(source).flatMap(({ specifier, exports }) => {
    const found = exports.filter(({ name }) => left.delete(name));
    const names = found.map(({ name, isType }) => (isType ? `type ${name}` : name));
    return names.length === 0 ? [] : [`import { ${names.join(", ")} } from "${specifier}";`];
  });
}

interface Entry {
  readonly specifier: string;
  readonly folder: string;
  readonly exports: readonly { readonly name: string; readonly isType: boolean }[];
}

const entries = new Map<string, readonly Entry[]>();

function entriesOf(source: string): readonly Entry[] {
  const folder = source.split("/").slice(0, 2).join("/");
  const known = entries.get(folder) ?? readEntries(folder);
  entries.set(folder, known);
  const nearness = (entry: Entry) => (source.startsWith(`${entry.folder}/`) ? entry.folder.length : 0);
  return known.toSorted((a, b) => nearness(b) - nearness(a));
}

function readEntries(folder: string): readonly Entry[] {
  const { name, exports = {} } = JSON.parse(readFileSync(`${ROOT}/${folder}/package.json`, "utf8"));
  return Object.entries<Record<string, string>>(exports).flatMap(([entry, targets]) => {
    const path = posix.join(folder, targets["@holdpoint/source"] ?? "");
    if (!/\.tsx?$/.test(path)) return [];
    const { program } = parseSync(path, readFileSync(`${ROOT}/${path}`, "utf8"));
    const found = program.body.flatMap(exportsOf);
    return [{ specifier: posix.join(name, entry), folder: posix.dirname(path), exports: found }];
  });
}

function exportsOf(node: ESTree.Node): Entry["exports"] {
  if (node.type !== "ExportNamedDeclaration") return [];
  return node.specifiers.map(({ exported, exportKind }) => ({
    name: "name" in exported ? exported.name : exported.value,
    isType: node.exportKind === "type" || exportKind === "type",
  }));
}
