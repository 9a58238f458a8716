/** Somebody who has none of these sources: an empty folder, the tarballs, and what they type there. */

import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tarballName } from "./release.ts";
import { publishedPackages } from "./stage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export class Stranger implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "holdpoint-stranger-"));
  /** The tarball of each package, by name. */
  readonly tarballs: Readonly<Record<string, string>>;

  constructor() {
    const folder = join(this.folder, "tarballs");
    execFileSync(process.execPath, [join(ROOT, "tools/pack.ts"), folder], { cwd: ROOT, stdio: "ignore" });
    this.tarballs = Object.fromEntries(
      publishedPackages(ROOT).map(({ manifest }) => [manifest.name, join(folder, tarballName(manifest))]),
    );
  }

  /** An empty project, with these packages installed: ours from their tarballs, others from the registry. */
  project(name: string, ...packages: readonly string[]): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), `{ "name": "${name}", "private": true, "type": "module" }`);
    this.install(folder, packages);
    return folder;
  }

  install(folder: string, packages: readonly string[], ...options: readonly string[]): void {
    if (packages.length === 0) return;
    const wanted = packages.map((each) => this.tarballs[each] ?? each);
    // Everything of ours that one of them needs comes from its tarball too.
    const own = packages.some((each) => each in this.tarballs) ? this.#neededBy(packages) : [];
    const args = ["install", "--no-audit", "--no-fund", "--prefix", folder, ...options, ...wanted, ...own];
    execFileSync("npm", [...new Set(args)], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  }

  #neededBy(packages: readonly string[]): readonly string[] {
    const manifests = new Map(publishedPackages(ROOT).map(({ manifest }) => [manifest.name, manifest]));
    const found = new Set<string>();
    const visit = (name: string): void => {
      if (found.has(name) || !manifests.has(name)) return;
      found.add(name);
      Object.keys(manifests.get(name)?.dependencies ?? {}).forEach(visit);
    };
    packages.forEach(visit);
    return [...found].map((name) => this.tarballs[name] ?? "");
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Without what this repository says about itself and its conditions. */
export function plainEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const {
    HOLDPOINT_HOME: _home,
    HOLDPOINT_URL: _url,
    HOLDPOINT_API_KEY: _key,
    NODE_OPTIONS: _options,
    ...env
  } = process.env;
  return { ...env, HOLDPOINT_PORT: "0", ...more };
}

export class Running implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  #said = "";
  /** Called when it says more, and when it ends. */
  #wake: () => void = () => undefined;
  readonly #ended: Promise<unknown>;

  constructor(command: string, args: readonly string[], folder: string, env = plainEnv()) {
    // A group of its own: npm and what it runs are stopped together.
    this.child = spawn(command, args, { cwd: folder, env, detached: true });
    this.#ended = once(this.child, "close");
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        this.#said += chunk.toString();
        this.#wake();
      });
    }
    void this.#ended.then(() => this.#wake());
  }

  /** Resolves when it has said this, with what the pattern found. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#said);
      if (found !== null) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended without saying ${pattern}:\n${this.#said}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves with everything it said when it has ended. */
  async ends(): Promise<string> {
    await this.#ended;
    return this.#said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-(this.child.pid ?? 0), "SIGTERM");
    } catch {
      // All of it has ended by itself.
    }
    await this.#ended;
  }
}

export interface Here {
  readonly url: string;
  readonly key: string;
}

/** The server that runs in this folder. */
export function serverIn(folder: string): Here {
  const { url, api_key: key } = JSON.parse(readFileSync(join(folder, ".holdpoint/credentials.json"), "utf8"));
  return { url, key };
}

export async function answerOldest({ url, key }: Here, action: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const list = await (await fetch(`${url}/v1/holds?status=open`, { headers })).json();
  const body = JSON.stringify({ action });
  const reply = await fetch(`${url}/v1/holds/${list.holds.at(-1).id}/answer`, {
    method: "POST",
    headers,
    body,
  });
  if (!reply.ok) throw new Error(await reply.text());
}

export interface FirstAnswer {
  readonly installMs: number;
  /** From `npx holdpoint init` to the work that ran because of the answer. */
  readonly answerMs: number;
  readonly said: string;
}

/** From an empty folder to the first answered hold, answered the moment the review link is printed. */
export async function firstAnswer(stranger: Stranger, name: string): Promise<FirstAnswer> {
  const begun = performance.now();
  const folder = stranger.project(name, "holdpoint", "@holdpoint/sdk");
  const installed = performance.now();
  await using init = new Running(process.execPath, [commandIn(folder), "init"], folder);
  await init.says(/Answer here: http\S+/);
  await answerOldest(serverIn(folder), "approve");
  await init.says(/Sent at .+\n/);
  const answered = performance.now();
  return { installMs: installed - begun, answerMs: answered - installed, said: await init.ends() };
}

export function commandIn(folder: string): string {
  return join(folder, "node_modules/.bin/holdpoint");
}

/** Every Node on the PATH besides the one that this repository brings. */
export function machineNodes(): readonly string[] {
  const folders = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((path) => !path.includes("node_modules"));
  const nodes = folders.map((path) => join(path, "node"));
  return nodes.filter((node) => spawnSync(node, ["--version"]).status === 0);
}
