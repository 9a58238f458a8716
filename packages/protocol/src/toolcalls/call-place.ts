/**
 * Which Git repository a file or folder is in, and whether it steers Git or an agent there. Links are followed, so that a link cannot
 * make a file look as if it were inside. Only where there are files: Node's modules are loaded when a program asks for the finder, so
 * that nothing else needs them.
 *
 * Programs read `link/..` in two ways: some remove both names, the system follows the link first. Where the two end in different
 * repositories, the path is in none that can be named; what either of them touches counts.
 */

import type { FoundPlace, PlaceOf } from "./agent-call.ts";
import { guardedName } from "./guarded-names.ts";

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
export async function placeFinder(): Promise<PlaceOf | undefined> {
  const modules = await nodeModules().catch(() => undefined);
  if (modules === undefined) return undefined;
  const [files, paths] = modules;
  return (path) => placeOf(path, files, paths);
}

/** Named at run time, so that no bundler tries to follow. */
async function nodeModules(): Promise<[Files, Paths]> {
  const [files, paths] = ["node:fs", "node:path"];
  return Promise.all([import(/* @vite-ignore */ files ?? ""), import(/* @vite-ignore */ paths ?? "")]);
}

function placeOf(path: string, files: Files, paths: Paths): FoundPlace {
  const shortened = readOnce(paths.resolve(path), files, paths);
  const followed = readOnce(path, files, paths);
  const { repository } = shortened;
  const touches = shortened.touches ?? followed.touches;
  return {
    ...(repository === undefined || repository !== followed.repository ? {} : { repository }),
    ...(touches === undefined ? {} : { touches }),
  };
}

function readOnce(path: string, files: Files, paths: Paths): FoundPlace {
  const real = realPlace(path, files, paths);
  if (real === undefined) return withTouched(path);
  for (let folder = real.folder; ; folder = paths.dirname(folder)) {
    // A folder in a clone, a file in a worktree or submodule.
    if (files.existsSync(paths.join(folder, ".git")))
      return { repository: folder, ...withTouched(real.whole.slice(folder.length)) };
    if (folder === paths.dirname(folder)) return withTouched(real.whole);
  }
}

function withTouched(path: string): FoundPlace {
  const touches = guardedName(path);
  return touches === undefined ? {} : { touches };
}

interface RealPlace {
  /** The nearest that exists: a file that is about to be written does not. */
  readonly folder: string;
  readonly whole: string;
}

/** `undefined`: it cannot be known. */
function realPlace(path: string, files: Files, { dirname }: Paths): RealPlace | undefined {
  for (let place = path; ; place = dirname(place)) {
    try {
      const folder = files.realpathSync.native(place);
      return { folder, whole: `${folder}/${path.slice(place.length)}` };
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
