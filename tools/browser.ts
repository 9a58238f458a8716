/** A real Chromium for the tests that need one: the machine's own, else Playwright's, else Debian's. */

import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { withLock } from "./prepare/lock.mjs";
import { run } from "./prepare/npm.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/** The same browser without windows: launching it and opening a context take a quarter of the processor time. It shows no notifications. */
const SHELL_NAMES = ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome", "/opt/homebrew/bin"];
const APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** For root in a container, without a screen, and with nothing that reaches out of the machine on its own. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const NONE = [
  "There is no Chromium for the browser tests, and none could be fetched.",
  "Run `npx playwright-core install --with-deps chromium` once, or set CHROMIUM_PATH to a browser you have.",
].join("\n");

let found: Promise<FoundBrowsers> | undefined;

/** Which browsers run here. Looks once, and fetches both if there is no Chromium. */
export function browserPaths(): Promise<FoundBrowsers> {
  found ??= findBrowsers({
    env: process.env,
    folders: FOLDERS,
    files: [...APPLICATIONS, chromium.executablePath()],
    shellFiles: playwrightShells,
    fetchers: [fetchPlaywright, fetchDebian],
  });
  return found;
}

/** The headless shell where there is one. A test of notifications asks for the complete browser. */
export async function launchBrowser(kind: keyof FoundBrowsers = "shell"): Promise<Browser> {
  return chromium.launch({ executablePath: (await browserPaths())[kind], args: FLAGS });
}

interface FoundBrowsers {
  readonly complete: string;
  /** The complete browser where there is no headless shell. */
  readonly shell: string;
}

type Name = (pid: number) => void;

interface Search {
  readonly env: NodeJS.ProcessEnv;
  /** Where a browser may be by one of its names, besides the PATH. */
  readonly folders: readonly string[];
  /** Browsers with a place and name of their own. */
  readonly files: readonly string[];
  /** The same for headless shells; asked after the fetchers. */
  readonly shellFiles: () => readonly string[];
  /** Tried in order while none is found; each may fail. */
  readonly fetchers: readonly ((name: Name) => Promise<void>)[];
}

/** Exported for its test. */
export async function findBrowsers(search: Search): Promise<FoundBrowsers> {
  const named = search.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") {
    if (await runs(named)) return { complete: named, shell: named };
    throw new Error(`CHROMIUM_PATH is ${named}, and that does not run.`);
  }
  const complete = await findComplete(search);
  const shell = await firstThatRuns({ ...search, files: search.shellFiles() }, SHELL_NAMES);
  return { complete, shell: shell ?? complete };
}

async function findComplete(search: Search): Promise<string> {
  const installed = await firstThatRuns(search);
  if (installed !== undefined) return installed;
  return withLock(join(tmpdir(), `holdpoint-browser-${process.getuid?.() ?? ""}.lock`), async (name) => {
    const look = async () => {};
    for (const fetch of [look, ...search.fetchers]) {
      await fetch(name).catch(() => {});
      const path = await firstThatRuns(search);
      if (path !== undefined) return path;
    }
    throw new Error(NONE);
  });
}

async function firstThatRuns(
  { env, folders, files }: Pick<Search, "env" | "folders" | "files">,
  names = NAMES,
): Promise<string | undefined> {
  const places = [...new Set([...(env["PATH"] ?? "").split(delimiter), ...folders])].filter(Boolean);
  const paths = places.flatMap((place) => names.map((name) => join(place, name)));
  for (const path of [...paths, ...files]) {
    if (await runs(path)) return path;
  }
  return undefined;
}

/** A file of that name may be a stub that only names a package to install. */
async function runs(path: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: 20_000 });
    return /chrom/i.test(stdout);
  } catch {
    return false;
  }
}

/** Playwright puts it beside the complete browser, under the names that it has had so far. */
function playwrightShells(): readonly string[] {
  const cache = chromium.executablePath().split(/[/\\]chromium-\d+[/\\]/)[0] ?? "";
  const pattern = `chromium_headless_shell-*/*/{${SHELL_NAMES.join(",")}}{,.exe}`;
  return globSync(pattern, { cwd: cache }).map((path) => join(cache, path));
}

async function fetchPlaywright(name: Name): Promise<void> {
  process.stderr.write("Fetching Chromium for the browser tests …\n");
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000" };
  await run(process.execPath, [cli, "install", "chromium"], { cwd: tmpdir(), env, name });
}

async function fetchDebian(name: Name): Promise<void> {
  if (process.getuid?.() !== 0) return;
  process.stderr.write("Installing Debian's Chromium for the browser tests …\n");
  const options = { cwd: "/", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, name };
  await run("apt-get", ["update"], options);
  await run("apt-get", ["install", "-y", "chromium"], options);
  // Older releases do not have it; the complete browser then stands in for it.
  await run("apt-get", ["install", "-y", "chromium-headless-shell"], options);
}
