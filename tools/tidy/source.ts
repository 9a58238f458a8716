/** Reads one file into the facts that rules are about. */

import { type ESTree, parseSync, Visitor } from "vite";
import type { Kind } from "./rules.ts";

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Fact {
  readonly kind: Kind;
  readonly text: string;
  readonly line: number;
}

export interface Import {
  readonly specifier: string;
  /** `type`: gone when types are stripped; `lazy`: `await import()`. */
  readonly kind: "type" | "lazy" | "value";
  readonly line: number;
}

interface FunctionSpan {
  readonly line: number;
  readonly lines: number;
}

export interface Reading {
  readonly facts: readonly Fact[];
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSpan[];
}

export interface ReadFile extends SourceFile {
  readonly reading: Reading;
}

const CODE = /\.(ts|tsx|mjs)$/;

export function read(file: SourceFile): Reading {
  const plain: Fact[] = [
    { kind: "path", text: file.path, line: 1 },
    ...file.text.split("\n").map((text, index) => ({ kind: "line" as const, text, line: index + 1 })),
  ];
  if (file.path.endsWith(".sql")) plain.push(...sqlFacts(file.text));
  if (!CODE.test(file.path)) return { facts: plain, imports: [], functions: [] };
  const code = readCode(file);
  return { ...code, facts: [...plain, ...code.facts] };
}

function sqlFacts(text: string): readonly Fact[] {
  return text
    .split("\n")
    .map((line, index) => ({ kind: "string" as const, text: line.replace(/--.*/, ""), line: index + 1 }));
}

function readCode(file: SourceFile): Reading {
  const { program, comments, errors } = parseSync(file.path, file.text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file.path}: ${error.message}`);
  const lineAt = lineFinder(file.text);
  const facts: Fact[] = comments.map((comment) => ({
    kind: "comment",
    text: comment.value,
    line: lineAt(comment.start),
  }));
  const imports: Import[] = [];
  const functions: FunctionSpan[] = [];
  const add = (kind: Kind, text: string, at: number) => facts.push({ kind, text, line: lineAt(at) });
  const addImport = (source: ESTree.Node, kind: Import["kind"]) => {
    if (source.type !== "Literal" || typeof source.value !== "string") return;
    imports.push({ specifier: source.value, kind, line: lineAt(source.start) });
    add("import", source.value, source.start);
  };
  const addFunction = ({ start, end }: { start: number; end: number }) => {
    functions.push({ line: lineAt(start), lines: lineAt(end) - lineAt(start) + 1 });
  };
  new Visitor({
    ...importVisitor(
      addImport,
      (name, at) => add("import", name, at),
      (name, at) => add("syntax", name, at),
    ),
    ...wordVisitor(add),
    ...functionVisitor(addFunction),
    ...shownVisitor((text, at) => add("shown", text, at)),
  }).visit(program);
  return { facts, imports, functions };
}

type Visits = ConstructorParameters<typeof Visitor>[0];

function importVisitor(
  addImport: (source: ESTree.Node, kind: Import["kind"]) => void,
  addName: (name: string, at: number) => void,
  addSyntax: (name: string, at: number) => void,
): Visits {
  return {
    ImportDeclaration(node) {
      const kinds = node.specifiers.map((each) => ("importKind" in each ? each.importKind : undefined));
      const onlyTypes =
        node.importKind === "type" || (kinds.length > 0 && kinds.every((kind) => kind === "type"));
      addImport(node.source, onlyTypes ? "type" : "value");
      for (const each of node.specifiers) addName(`${node.source.value}#${importedName(each)}`, each.start);
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) addImport(node.source, node.exportKind === "type" ? "type" : "value");
    },
    ExportAllDeclaration(node) {
      addImport(node.source, node.exportKind === "type" ? "type" : "value");
      addSyntax("export *", node.start);
    },
    ImportExpression: (node) => addImport(node.source, "lazy"),
    TSImportType: (node) => addImport(node.source, "type"),
  };
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type !== "ImportSpecifier") return "*";
  return specifier.imported.type === "Identifier" ? specifier.imported.name : specifier.imported.value;
}

function functionVisitor(addFunction: (node: { start: number; end: number }) => void): Visits {
  return {
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
  };
}

/** A cast that the compiler does not check at all. */
export const DOUBLE_CAST = "as unknown as";

function wordVisitor(add: (kind: Kind, text: string, at: number) => void): Visits {
  /** Names that are not variables: members and keys. Parents come first, so they are known before they are met. */
  const notVariables = new Set<number>();
  const skip = (key: ESTree.Node, computed: boolean) => {
    if (!computed) notVariables.add(key.start);
  };
  const asAny = (node: ESTree.TSAsExpression | ESTree.TSTypeAssertion) => {
    if (node.typeAnnotation.type === "TSAnyKeyword") add("syntax", "as any", node.start);
    const { expression } = node;
    if (expression.type === "TSAsExpression" && expression.typeAnnotation.type === "TSUnknownKeyword")
      add("syntax", DOUBLE_CAST, expression.end);
  };
  return {
    MemberExpression(node) {
      skip(node.property, node.computed);
      const name = dotted(node);
      if (name !== undefined) add("name", name, node.start);
    },
    ImportSpecifier: (node) => skip(node.imported, false),
    Property: (node) => node.shorthand || skip(node.key, node.computed),
    PropertyDefinition: (node) => skip(node.key, node.computed),
    MethodDefinition: (node) => skip(node.key, node.computed),
    TSPropertySignature: (node) => skip(node.key, node.computed),
    TSMethodSignature: (node) => skip(node.key, node.computed),
    Identifier(node) {
      if (!notVariables.has(node.start)) add("name", node.name, node.start);
    },
    NewExpression(node) {
      if (node.arguments.length === 0 && node.callee.type === "Identifier") {
        add("name", `new ${node.callee.name}()`, node.start);
      }
    },
    Literal: (node) => typeof node.value === "string" && add("string", node.value, node.start),
    TemplateElement: (node) => add("string", node.value.raw, node.start),
    ExportDefaultDeclaration: (node) => add("syntax", "export default", node.start),
    TSEnumDeclaration: (node) => add("syntax", "enum", node.start),
    TSAsExpression: asAny,
    TSTypeAssertion: asAny,
  };
}

/** Attributes, and properties of our own components, that people read or hear. */
const READ = new Set(["aria-label", "title", "placeholder", "alt", "label", "question", "hint", "text"]);

function shownVisitor(addShown: (text: string, at: number) => void): Visits {
  const look = (node: ESTree.Node) => {
    if (node.type === "Literal" && typeof node.value === "string") addShown(node.value, node.start);
    if (node.type === "TemplateLiteral")
      addShown(node.quasis.map(({ value }) => value.raw).join(" "), node.start);
    if (node.type === "JSXExpressionContainer") look(node.expression);
    if (node.type === "LogicalExpression") look(node.right);
    if (node.type !== "ConditionalExpression") return;
    look(node.consequent);
    look(node.alternate);
  };
  const children = (node: { readonly children: readonly ESTree.Node[] }) => node.children.forEach(look);
  return {
    JSXText: (node) => addShown(node.value, node.start),
    JSXElement: children,
    JSXFragment: children,
    JSXAttribute({ name, value }) {
      if (value !== null && name.type === "JSXIdentifier" && READ.has(name.name)) look(value);
    },
  };
}

/** `a.b.c`, when it is names all the way. */
function dotted(node: ESTree.Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier")
    return undefined;
  const object = dotted(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
