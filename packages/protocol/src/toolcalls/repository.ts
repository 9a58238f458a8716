/**
 * Which Git repository a file or folder is in. Links are followed, so that a link cannot make a file look as if it were inside. Only where there
 * are files: Node's modules are loaded when a program asks for the finder, so that nothing else needs them.
 *
 * Programs read `link/..` in two ways: some remove both names, the system follows the link first. Where the two end in different
 * repositories, the path is in none that can be named.
 */

import type { RepositoryOf } from "./agent-call.ts";

interface Files {
  existsSync(path: string): boolean;
  lstatSync(path: string, options: { throwIfNoEntry: false }): { isSymbolicLink(): boolean } | undefined;
  /** Only the native function follows links before it goes up. */
  readonly realpathSync: { native(path: string): string };
}

interface Paths {
  join(...parts: string[]): string;
  dirname(path: string): string;
  resolve(path: string): string;
}

/** `undefined`: there are no files here. */
export async function repositoryFinder(): Promise<RepositoryOf | undefined> {
  const modules = await nodeModules().catch(() => undefined);
  if (modules === undefined) return undefined;
  const [files, paths] = modules;
  return (path) => repositoryOf(path, files, paths);
}

/** Named at run time, so that no bundler tries to follow. */
async function nodeModules(): Promise<[Files, Paths]> {
  const [files, paths] = ["node:fs", "node:path"];
  return Promise.all([import(/* @vite-ignore */ files ?? ""), import(/* @vite-ignore */ paths ?? "")]);
}

function repositoryOf(path: string, files: Files, paths: Paths): string | undefined {
  const found = repositoryAbove(paths.resolve(path), files, paths);
  return found === repositoryAbove(path, files, paths) ? found : undefined;
}

function repositoryAbove(path: string, files: Files, paths: Paths): string | undefined {
  const place = realPlace(path, files, paths);
  if (place === undefined) return undefined;
  for (let folder = place; ; folder = paths.dirname(folder)) {
    // A folder in a clone, a file in a worktree or submodule.
    if (files.existsSync(paths.join(folder, ".git"))) return folder;
    if (folder === paths.dirname(folder)) return undefined;
  }
}

/** The nearest folder that exists: a file that is about to be written does not. `undefined`: it cannot be known. */
function realPlace(path: string, files: Files, { dirname }: Paths): string | undefined {
  for (let place = path; ; place = dirname(place)) {
    try {
      return files.realpathSync.native(place);
    } catch {
      if (place === dirname(place) || mayBeLink(place, files)) return undefined;
    }
  }
}

/** Writing to a link without a target makes the target, wherever that is. */
function mayBeLink(path: string, files: Files): boolean {
  try {
    return files.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}
