/** One piece of TypeScript that we show to readers, and the file that the compiler checks for it. */

import { type ESTree, parseSync } from "vite";

export interface Snippet {
  /** Where people read it, from the root of the repository. */
  readonly source: string;
  /** The line of `source` at which the code begins, from one. */
  readonly line: number;
  /** Distinguishes the snippets of one source; several snippets with one name are read as one program. */
  readonly name: string;
  readonly extension: "mts" | "tsx";
  readonly code: string;
  /** Statements, one line: what the reader's own program has around the code. */
  readonly around?: string;
}

const FOLDER = ".snippets";

/** Path → text. Code stands on the same line as in its source, so that the compiler names the right one. */
export function filesOf(snippets: readonly Snippet[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(
    snippets,
    ({ source, name, extension }) => `${FOLDER}/${source}${name}.${extension}`,
  );
  return new Map([...groups].map(([path, group]) => [path, textOf(path, group)]));
}

function textOf(path: string, snippets: readonly Snippet[]): string {
  let text = `/* From ${snippets[0]?.source}, line by line. Written by \`npm run types\`. */`;
  for (const { line, code, around = "" } of snippets) {
    text += around;
    text += "\n".repeat(Math.max(1, line - text.split("\n").length)) + code;
  }
  return `${text}\n${use(path, text)}\n`;
}

/** Exports what the code declares and does not use: readers use it in the lines that follow in their own program. */
function use(path: string, text: string): string {
  const { program, errors } = parseSync(path, text);
  // The compiler says what is wrong with it.
  if (errors.length > 0) return "";
  const exported = new Set(program.body.flatMap(exportedNames));
  const names = program.body.flatMap(declaredNames).filter((name) => !exported.has(name));
  return `export { ${[...new Set(names)].join(", ")} };`;
}

function exportedNames(node: ESTree.Node): readonly string[] {
  if (node.type !== "ExportNamedDeclaration") return [];
  const named = node.specifiers.map(({ exported }) => ("name" in exported ? exported.name : exported.value));
  return node.declaration === null ? named : [...named, ...declaredNames(node.declaration)];
}

export function declaredNames(node: ESTree.Node): readonly string[] {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap(({ id }) => boundNames(id));
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
    return node.id ? [node.id.name] : [];
  return [];
}

function boundNames(node: ESTree.Node): readonly string[] {
  switch (node.type) {
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((each) =>
        boundNames(each.type === "Property" ? each.value : each.argument),
      );
    case "ArrayPattern":
      return node.elements.flatMap((each) => (each === null ? [] : boundNames(each)));
    case "AssignmentPattern":
      return boundNames(node.left);
    case "RestElement":
      return boundNames(node.argument);
    default:
      return [];
  }
}
