/** Holds one file against the rules. */

import { posix } from "node:path";
import { firstStar, fits, fitsAny } from "./pattern.ts";
import {
  BANS,
  type Ban,
  EXCEPTIONS,
  type Exception,
  KNOWS_ALL,
  LIMITS,
  NEVER_IMPORTED,
  ZONES,
} from "./rules.ts";
import { type Import, type Reading, read, type SourceFile } from "./source.ts";

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly use: string;
}

export function check(file: SourceFile, reading = read(file)): readonly Finding[] {
  const found = [...imports(file.path, reading), ...bans(file.path, reading), ...limits(file, reading)];
  return found.sort((a, b) => a.line - b.line);
}

export function format({ path, line, found, use }: Finding): string {
  return `${path}:${line}: ${found}: use ${use} instead`;
}

/** What is left after the exceptions, and the exceptions that nothing needed. */
export function except(
  findings: readonly Finding[],
  exceptions: readonly Exception[] = EXCEPTIONS,
): { readonly left: readonly Finding[]; readonly stale: readonly Exception[] } {
  const covers = (exception: Exception, { path, found }: Finding) =>
    exception.path === path && found.startsWith(exception.found);
  return {
    left: findings.filter((finding) => !exceptions.some((exception) => covers(exception, finding))),
    stale: exceptions.filter((exception) => !findings.some((finding) => covers(exception, finding))),
  };
}

function imports(path: string, reading: Reading): readonly Finding[] {
  return reading.imports.flatMap((imported) => {
    const target = resolve(path, imported.specifier);
    const use = whyNot(path, imported, target);
    return use === undefined ? [] : [{ path, line: imported.line, found: `import of ${target}`, use }];
  });
}

/** Undefined when the import is allowed; else what to use. */
function whyNot(path: string, imported: Import, target: string): string | undefined {
  const forbidden = NEVER_IMPORTED.find((pattern) => fits(target, pattern) && !fits(path, pattern));
  if (forbidden !== undefined) return "a process of its own";
  if (
    packageOf(path) !== packageOf(target) &&
    target.startsWith("packages/") &&
    path.startsWith("packages/")
  ) {
    return "the package's name";
  }
  if (fitsAny(path, KNOWS_ALL) || !/^packages\/[^/]+\/src\//.test(path)) return undefined;
  const zone = ZONES.find(({ at }) => fits(path, at));
  if (zone === undefined) return "a folder that has a zone in tools/tidy/rules.ts";
  const own = firstStar(path, zone.at);
  const may = zone.may.map((pattern) => pattern.replaceAll("$1", own));
  if (may.some((pattern) => allows(pattern, imported.kind, target))) return undefined;
  return `what ${zone.at} may (${may.join(", ")})`.replaceAll("packages/server/src/", "");
}

function allows(pattern: string, kind: Import["kind"], target: string): boolean {
  const [, only, rest] = /^(?:(type|lazy):)?(.*)$/.exec(pattern)!;
  if (only !== undefined && only !== kind) return false;
  if (rest === "npm:*") return isFromRegistry(target);
  if (target.startsWith("node:")) return rest === "node:*" || rest === target;
  const isPath = rest!.startsWith("packages/") || rest === "**";
  if (isPath) return isInRepository(target) && fits(target, rest!);
  return fits(target, rest!) || fits(target, `${rest}/**`);
}

function resolve(path: string, specifier: string): string {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}

function isInRepository(target: string): boolean {
  return target.startsWith("packages/");
}

function isFromRegistry(target: string): boolean {
  return !isInRepository(target) && !target.startsWith("node:") && !target.startsWith("@holdpoint/");
}

function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

function bans(path: string, reading: Reading): readonly Finding[] {
  const active = BANS.filter((ban) => isActive(ban, path));
  return reading.facts.flatMap((fact) =>
    active
      .filter((ban) => ban.kind === fact.kind && ban.found.test(fact.text))
      .map(({ found, use }) => ({
        path,
        line: fact.line,
        found: found.exec(fact.text)?.[0].trim() ?? "",
        use,
      })),
  );
}

function isActive({ at, except }: Ban, path: string): boolean {
  return (at === undefined || fitsAny(path, at)) && !(except !== undefined && fitsAny(path, except));
}

function limits({ path, text }: SourceFile, reading: Reading): readonly Finding[] {
  const { fileLines, functionLines } = LIMITS;
  const found: Finding[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (lines > fileLines.max && fitsAny(path, fileLines.at)) {
    found.push({
      path,
      line: 1,
      found: `a file of ${lines} lines`,
      use: `files of at most ${fileLines.max}`,
    });
  }
  if (!fitsAny(path, functionLines.at) || fitsAny(path, functionLines.except)) return found;
  for (const span of reading.functions) {
    if (span.lines <= functionLines.max) continue;
    const use = `functions of at most ${functionLines.max}`;
    found.push({ path, line: span.line, found: `a function of ${span.lines} lines`, use });
  }
  return found;
}
