/** Which Git repository a file or folder is in. Links are followed, so that a link cannot make a file look as if it were inside. */

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export function repositoryOf(path: string): string | undefined {
  for (let folder = realPlace(resolve(path)); ; folder = dirname(folder)) {
    // A folder in a clone, a file in a worktree or submodule.
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The nearest folder that exists: a file that is about to be written does not. */
function realPlace(path: string): string {
  for (let place = path; ; place = dirname(place)) {
    try {
      return realpathSync(place);
    } catch {
      if (place === dirname(place)) return place;
    }
  }
}
