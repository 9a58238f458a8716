/** Every package says on npm what it is, where it comes from and what it needs; its page there leads somewhere. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { VERSION } from "../../packages/server/src/version.ts";
import { publishedPackages } from "./stage.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HOME = "https://github.com/holdpoint/holdpoint";
/** From the first version with `exactOptional` on. */
const ZOD = "^4.3.0";
const packages = publishedPackages(ROOT);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Described {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

describe.each(packages)("packages/$folder on npm", ({ folder, manifest }) => {
  const described = JSON.parse(read(`packages/${folder}/package.json`)) as Described;

  test("has the workspace's version, also in its dependencies on the other packages", () => {
    const own = Object.entries({ ...described.dependencies, ...described.peerDependencies }).filter(
      ([name]) => name === "holdpoint" || name.startsWith("@holdpoint/"),
    );
    const versions = [described.version, ...own.map(([, version]) => version)];
    expect(new Set(versions)).toEqual(new Set([VERSION]));
  });

  test("has its repository, engines and files", () => {
    expect(described).toMatchObject({
      license: "Apache-2.0",
      homepage: `${HOME}#readme`,
      repository: { type: "git", url: `git+${HOME}.git`, directory: `packages/${folder}` },
      bugs: `${HOME}/issues`,
      engines: { node: manifest.name === "holdpoint" ? ">=24" : ">=20" },
      publishConfig: { access: "public" },
      files: manifest.name === "holdpoint" ? ["dist", "web"] : ["dist"],
    });
    expect(described.description.length).toBeGreaterThan(20);
    expect(described.keywords).toContain("human-in-the-loop");
  });

  test("takes the Zod 4 that an app has already, instead of a copy of its own", () => {
    const { zod = ZOD } = { ...described.dependencies, ...described.peerDependencies };
    expect(zod).toBe(ZOD);
  });

  test("has a README of its own whose links also work outside the repository", () => {
    const text = read(`packages/${folder}/README.md`);
    expect(text.startsWith(`# ${manifest.name}\n`)).toBe(true);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
    const files = links.flatMap((link) => link.split(`${HOME}/blob/main/`).slice(1));
    expect(files.filter((file) => !existsSync(join(ROOT, file.split("#")[0] ?? "")))).toEqual([]);
    for (const file of files.filter((one) => one.includes("#"))) expect(anchorsOf(file)).toContain(file);
  });
});

/** The page's address with each of its headings, as GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  const [page = ""] = file.split("#");
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map(
    (heading) =>
      `${page}#${heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`,
  );
}

test("the changelog has a section for the version", () => {
  expect(read("CHANGELOG.md")).toContain(`\n## ${VERSION}\n`);
});

test("the version of the workspace is the version of the packages", () => {
  expect(JSON.parse(read("package.json"))).toMatchObject({ version: VERSION, private: true });
});
