/** What `npm run bench -- peers` measures beside Holdpoint is installed by that command alone, in a folder outside of the workspaces. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../interop/peers/", import.meta.url));
const INSTALL_MS = 5 * 60_000;

export function installPeers(): void {
  // npm writes it at the end of an install.
  const done = join(FOLDER, "node_modules/.package-lock.json");
  const changedAt = (path: string) => statSync(path).mtimeMs;
  if (existsSync(done) && changedAt(done) >= changedAt(join(FOLDER, "package-lock.json"))) return;
  console.log("Installing Restate, DBOS and LangGraph in interop/peers (330 MB, once) …");
  try {
    execFileSync("npm", ["ci"], { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"], timeout: INSTALL_MS });
  } catch (cause) {
    throw new Error(
      "The peers could not be installed. Try `npm ci` in interop/peers; it needs an npm registry.",
      {
        cause,
      },
    );
  }
}

export function versions(): string {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.entries(dependencies)
    .filter(([name]) => /^@(restatedev|dbos-inc|langchain\/langgraph)/.test(name))
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}
