import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;]*?\sfrom\s+)?"([^"]+)";/gm;
const ONLY_TYPES = /^(?:import|export)\s+\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}\s+from/;

const protocol = new URL("../../protocol/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", protocol), "utf8"));

function fileOf(specifier: string, from: URL): URL | undefined {
  if (specifier.startsWith(".")) return new URL(specifier, from);
  const entry = exports[specifier.replace("@holdpoint/protocol", ".")];
  return specifier.startsWith("@holdpoint/") ? new URL(entry["@holdpoint/source"], protocol) : undefined;
}

/** Every package that loading an entry loads as well, whatever it is used for. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = [new URL(entry, import.meta.url)];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file.href)) continue;
    seen.add(file.href);
    for (const [statement, specifier] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (ONLY_TYPES.test(statement)) continue;
      const target = fileOf(specifier!, file);
      if (target === undefined) packages.add(specifier!);
      else open.push(target);
    }
  }
  return packages;
}

describe("what the package loads", () => {
  test.each(["agent", "render", "service"])(
    "the part %s loads no other package and nothing of Node",
    (side) => {
      expect([...packagesOf(`./${side}/index.ts`)]).toEqual([]);
    },
  );

  test("this check finds a package that is loaded", () => {
    expect(packagesOf("../../protocol/src/hitl/index.ts")).toContain("zod");
  });
});
