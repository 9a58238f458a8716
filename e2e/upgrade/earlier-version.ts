/** The program as it was at an earlier commit of this repository, runnable beside the present one. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Of this workspace: an earlier version must find its own. */
const OURS = ["@holdpoint", "holdpoint"];

export interface EarlierVersion extends Disposable {
  readonly main: string;
  /** How many migrations it knows. */
  readonly schema: number;
}

/** Its dependencies are those of this checkout. */
export function earlierVersion(commit: string): EarlierVersion {
  assertKnown(commit);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-earlier-"));
  const archive = execFileSync("git", ["archive", commit, "package.json", "packages"], {
    ...{ cwd: ROOT, maxBuffer: 512 * 1024 * 1024 },
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  linkModules(ROOT, folder);
  for (const [name, target] of workspacesOf(folder)) symlinkSync(target, join(folder, "node_modules", name));
  return {
    main: join(folder, "packages/server/src/cli/main.ts"),
    schema: readdirSync(join(folder, "packages/server/src/store/postgres/migrations")).length,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function assertKnown(commit: string): void {
  try {
    execFileSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT, stdio: "ignore" });
  } catch {
    throw new Error(
      `Commit ${commit} is not in this clone, so the earlier version cannot be run beside the present one. ` +
        "The clone is shallow or has no history: run `git fetch --unshallow`, then the test again.",
    );
  }
}

/** Everything but the packages of the workspace, at the root and where a package has its own copy of something. */
function linkModules(from: string, to: string): void {
  for (const at of [".", "packages/server"]) {
    const source = join(from, at, "node_modules");
    if (!existsSync(source)) continue;
    mkdirSync(join(to, at, "node_modules"), { recursive: true });
    for (const name of readdirSync(source))
      if (!OURS.includes(name)) symlinkSync(join(source, name), join(to, at, "node_modules", name));
  }
}

function workspacesOf(folder: string): readonly (readonly [string, string])[] {
  mkdirSync(join(folder, "node_modules/@holdpoint"));
  return readdirSync(join(folder, "packages")).map((name) => [
    ...([name === "server" ? "holdpoint" : `@holdpoint/${name}`, join(folder, "packages", name)] as const),
  ]);
}
