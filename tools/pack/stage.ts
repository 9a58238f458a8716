/** One package after another, laid out as npm will find it: `dist` with JavaScript and types, and a `package.json` that says so. */

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.ts";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** Under `packages/`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Source of every entry, also of those that are not published. */
  readonly sources: Readonly<Record<string, string>>;
}

const SOURCE = "@holdpoint/source";
/** Loaded by its address, so no import leads the compiler to it. */
const STARTED_BY_ADDRESS = ["store/sqlite/worker.ts", "store/sqlite/commit-worker.ts"];
/** Entries that contain parts of packages that their users do not install. Of the other files of their folder only types are published. */
const BUNDLED = ["packages/sdk/src/testing/index.ts"];
/** What a package's users install with it is not bundled. */
const INSTALLED = [/^@holdpoint\/protocol/, /^zod/, /^@modelcontextprotocol\//];
/** What is read at run time and is no code. */
const ASSETS = ["src/**/migrations/*.sql", "src/**/*.css"];

export function publishedPackages(root: string): readonly Package[] {
  return readdirSync(join(root, "packages"))
    .map((folder) => {
      const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
      const manifest = JSON.parse(text) as Manifest;
      return { folder, manifest: publicPart(manifest), sources: sourcesOf(manifest) };
    })
    .filter(({ manifest }) => manifest.private !== true);
}

function sourcesOf({ exports = {} }: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(exports).map(([path, conditions]) => [path, conditions[SOURCE] ?? ""]),
  );
}

/** An entry with nothing but its source is for the tests of this repository and is not published. */
function publicPart({ exports = {}, ...manifest }: Manifest): Manifest {
  const published = Object.entries(exports).filter(([, conditions]) => conditions["default"] !== undefined);
  return { ...manifest, exports: Object.fromEntries(published) };
}

/** All in one go: packages import each other by name and from source, so there is no order to keep. */
export function compile(root: string, packages: readonly Package[], staging: string): void {
  const config = join(staging, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    allowImportingTsExtensions: false,
    rootDir: join(root, "packages"),
    outDir: staging,
    typeRoots: [join(root, "node_modules", "@types")],
    // What is found through node_modules counts as somebody else's and is not written.
    paths: Object.fromEntries(packages.flatMap((each) => pathsOf(root, each))),
  };
  const files = packages.flatMap((each) => entriesOf(root, each));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files }),
  );
  execFileSync("tsc", ["-p", config], { stdio: "inherit" });
}

function entriesOf(root: string, { folder, manifest }: Package): readonly string[] {
  const home = join(root, "packages", folder);
  const exported = Object.values(manifest.exports ?? {}).map((conditions) => conditions[SOURCE] ?? "");
  const commands = Object.values(manifest.bin ?? {}).map((file) => sourceOf(file));
  const apart = STARTED_BY_ADDRESS.map((file) => `src/${file}`);
  return [...exported.filter((file) => file.endsWith(".ts")), ...commands, ...apart]
    .map((file) => join(home, file))
    .filter((file) => existsSync(file));
}

function pathsOf(
  root: string,
  { folder, manifest, sources }: Package,
): readonly [string, readonly string[]][] {
  return Object.entries(sources).map(([path, source]) => [
    `${manifest.name}${path.slice(1)}`,
    [join(root, "packages", folder, source)],
  ]);
}

function sourceOf(built: string): string {
  return built.replace("./dist/", "./src/").replace(/\.js$/, ".ts");
}

/** Writes the bundled entries over what the compiler made of them. */
export async function bundleEntries(root: string, staging: string): Promise<void> {
  for (const entry of BUNDLED) {
    const compiled = join(staging, entry.replace("packages/", "").replace(/\.ts$/, ".js"));
    const code = await bundle({ entry: join(root, entry), external: INSTALLED });
    for (const file of globSync("**/*.js", { cwd: dirname(compiled) })) rmSync(join(dirname(compiled), file));
    writeFileSync(compiled, code);
  }
}

export function stage(root: string, { folder, manifest }: Package, staging: string): void {
  const from = join(root, "packages", folder);
  const to = join(staging, folder);
  renameSync(join(to, "src"), join(to, "dist"));
  for (const asset of globSync(ASSETS, { cwd: from })) {
    cpSync(join(from, asset), join(to, asset.replace(/^src/, "dist")), { recursive: true });
  }
  // The pages come with the server that serves them.
  if (folder === "server")
    cpSync(join(root, "packages", "web", "dist"), join(to, "web"), { recursive: true });
  for (const file of ["LICENSE", "CHANGELOG.md"]) cpSync(join(root, file), join(to, file));
  cpSync(join(from, "README.md"), join(to, "README.md"));
  writeFileSync(join(to, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
}

function publishedManifest({ exports = {}, devDependencies: _unused, ...manifest }: Manifest): object {
  const published = Object.entries(exports).map(([path, { [SOURCE]: _source, ...conditions }]) => [
    path,
    conditions,
  ]);
  return { ...manifest, exports: Object.fromEntries(published) };
}

/** The tarball's file name. */
export function pack(home: string, folder: string): string {
  const told = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: home,
    encoding: "utf8",
    env: { ...process.env, npm_config_workspaces: "false" },
  });
  return told.trim().split("\n").at(-1) ?? "";
}
