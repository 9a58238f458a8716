/**
 * The adapters beside versions of frameworks that are no dependencies of this repository: a folder with the adapters' sources, the
 * packages that an interop folder names, and its driver.
 */

import { execFile, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
    // `driver`: the folder whose driver it shares.
    const { dependencies, overrides = {}, driver = name } = manifest(join(INTEROP, name, "package.json"));
    // Its own name leads to the sources here, so that they import the framework of this folder.
    const own = {
      name: "@holdpoint/adapters",
      private: true,
      type: "module",
      exports,
      dependencies,
      overrides,
    };
    writeFileSync(join(this.folder, "package.json"), JSON.stringify(own));
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
    execFileSync("npm", ["install", ...quiet], { cwd: this.folder, stdio: "ignore" });
    mkdirSync(join(this.folder, "node_modules/@holdpoint"), { recursive: true });
    const link = (to: string, at: string) => {
      const place = join(this.folder, "node_modules", at);
      if (!existsSync(place)) symlinkSync(to, place);
    };
    for (const ours of ["protocol", "sdk"]) link(join(ROOT, "packages", ours), `@holdpoint/${ours}`);
    link(this.folder, "@holdpoint/adapters");
    link(join(ROOT, "packages/server"), "holdpoint");
    for (const runner of ["vitest", "vite"]) link(join(ROOT, "node_modules", runner), runner);
    cpSync(join(adapters, "src"), join(this.folder, "src"), { recursive: true });
    cpSync(join(INTEROP, "prove.mjs"), join(this.folder, "prove.mjs"));
    cpSync(join(ROOT, "e2e/frameworks/agent.child.ts"), join(this.folder, "agent.child.ts"));
    cpSync(join(INTEROP, driver), this.folder, {
      recursive: true,
      filter: (path) => !path.endsWith("package.json") && !path.includes("node_modules"),
    });
  }

  async run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--conditions=@holdpoint/source", script, ...args],
      { cwd: this.folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
    );
    return stdout;
  }

  /** Runs the folder's own `*.case.ts`, and gives what the runner said when it failed. */
  async test(): Promise<{ readonly code: number | null; readonly said: string }> {
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run"], { cwd: this.folder });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => {
        said += text;
      });
    }
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { code, said };
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
