/** The packages of `interop/package.json`, installed once in a folder of their own, outside of the workspaces. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MANIFEST = fileURLToPath(new URL("../../interop/package.json", import.meta.url));
const INSTALL_MS = 4 * 60_000;

/** `npm run interop` installs them once for all files and says where. */
export const FOLDER_VARIABLE = "HOLDPOINT_INTEROP";

export interface Packages {
  readonly folder: string;
  /** A module of a package, as an app that installed it imports it. */
  // biome-ignore lint/suspicious/noExplicitAny: another version than the one that the compiler knows.
  load(specifier: string): Promise<any>;
  /** A file of a package, such as its command. */
  file(name: string, path: string): string;
  version(name: string): string;
  remove(): void;
}

export function installPackages(): Packages {
  const given = process.env[FOLDER_VARIABLE];
  const folder = given ?? realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-interop-")));
  if (given === undefined) {
    cpSync(MANIFEST, join(folder, "package.json"));
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
    execFileSync("npm", args, { cwd: folder, stdio: "ignore", timeout: INSTALL_MS });
  }
  const require = createRequire(join(folder, "app.js"));
  const file = (name: string, path: string) => join(folder, "node_modules", name, path);
  return {
    folder,
    load: (specifier) => import(pathToFileURL(require.resolve(specifier)).href),
    file,
    version: (name) => JSON.parse(readFileSync(file(name, "package.json"), "utf8")).version,
    remove: () => {
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
