/**
 * The adapters beside versions of frameworks that are no dependencies of this repository: a folder with the adapters' sources, the
 * packages that an interop folder names, and its driver.
 */

import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const INTEROP = join(ROOT, "interop/frameworks");

export interface CaseOutcome {
  readonly title: string;
  readonly error?: string;
}

export class ProvingGround implements Disposable {
  readonly folder: string;

  /** Installs what `interop/frameworks/<name>` names. */
  constructor(name: string) {
    this.folder = mkdtempSync(join(tmpdir(), "holdpoint-frameworks-"));
    const manifest = (path: string) => JSON.parse(readFileSync(path, "utf8"));
    const adapters = join(ROOT, "packages/adapters");
    const { exports } = manifest(join(adapters, "package.json"));
    const { dependencies } = manifest(join(INTEROP, name, "package.json"));
    // Its own name leads to the sources here, so that they import the framework of this folder.
    const own = { name: "@holdpoint/adapters", private: true, type: "module", exports, dependencies };
    writeFileSync(join(this.folder, "package.json"), JSON.stringify(own));
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
    execFileSync("npm", ["install", ...quiet], { cwd: this.folder, stdio: "ignore" });
    mkdirSync(join(this.folder, "node_modules/@holdpoint"), { recursive: true });
    for (const ours of ["protocol", "sdk"]) {
      symlinkSync(join(ROOT, "packages", ours), join(this.folder, "node_modules/@holdpoint", ours));
    }
    cpSync(join(adapters, "src"), join(this.folder, "src"), { recursive: true });
    cpSync(join(INTEROP, "prove.mjs"), join(this.folder, "prove.mjs"));
    cpSync(join(ROOT, "e2e/frameworks/agent.child.ts"), join(this.folder, "agent.child.ts"));
    cpSync(join(INTEROP, name), this.folder, {
      recursive: true,
      filter: (path) => !path.endsWith("package.json") && !path.includes("node_modules"),
    });
  }

  async run(script: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@holdpoint/source", script, ...args],
      { cwd: this.folder, maxBuffer: 64 * 1024 * 1024 },
    );
    return stdout;
  }

  async prove(): Promise<readonly CaseOutcome[]> {
    const said = await this.run("prove.mjs");
    const line = said.split("\n").find((each) => each.startsWith("outcomes: ")) ?? "";
    return JSON.parse(line.slice("outcomes: ".length));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
