/**
 * Which Git repository a file or folder is in. Links are followed, so that a link cannot make a file look as if it were inside. Only where there
 * are files: Node's modules are loaded when a program asks for the finder, so that nothing else needs them.
 */

import type { RepositoryOf } from "./agent-call.ts";

interface Files {
  existsSync(path: string): boolean;
  realpathSync(path: string): string;
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
  for (let folder = realPlace(paths.resolve(path), files, paths); ; folder = paths.dirname(folder)) {
    // A folder in a clone, a file in a worktree or submodule.
    if (files.existsSync(paths.join(folder, ".git"))) return folder;
    if (folder === paths.dirname(folder)) return undefined;
  }
}

/** The nearest folder that exists: a file that is about to be written does not. */
function realPlace(path: string, { realpathSync }: Files, { dirname }: Paths): string {
  for (let place = path; ; place = dirname(place)) {
    try {
      return realpathSync(place);
    } catch {
      if (place === dirname(place)) return place;
    }
  }
}
