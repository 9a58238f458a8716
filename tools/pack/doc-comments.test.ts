/** An editor tells its user what each name of ours does. `@holdpoint/sdk` has an example for each name, too. */

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { publishedPackages } from "./stage.ts";

const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));
const CLIENTS = ["adapters", "gate", "hitl", "openintent", "react", "sdk"];
const read = (path: string) => readFileSync(path, "utf8");

/** Functions, classes, components and constants that an entry exports, by the names that they are declared with. */
function valuesOf(entry: string): readonly string[] {
  const code = read(entry);
  const lists = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","));
  const listed = lists.map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "));
  const others = [...code.matchAll(/^export \* from "(\..*)"/gm)].map(([, path = ""]) => path);
  return [
    ...listed.map((name) => name.replace(/ as .+$/, "")),
    ...[...code.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, name = ""]) => name),
    ...others.flatMap((path) => valuesOf(join(dirname(entry), path))),
  ];
}

const clients = publishedPackages(join(PACKAGES, "..")).filter(({ folder }) => CLIENTS.includes(folder));

test.each(clients)(
  "everything that packages/$folder exports to call or render has a doc comment",
  ({ folder, manifest, sources }) => {
    const files = globSync([`${folder}/src/**/*.{ts,tsx}`, "protocol/src/**/*.ts"], { cwd: PACKAGES });
    const code = files.map((file) => read(join(PACKAGES, file))).join("\n");
    const explained = new Set(
      [...code.matchAll(/\*\/\nexport (?:async )?(?:function|class|const) (\w+)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const entries = Object.keys(manifest.exports ?? {}).map((path) => sources[path] ?? "");
    const names = entries
      .filter((path) => path.endsWith(".ts") && !path.includes("/moved/"))
      .flatMap((path) => valuesOf(join(PACKAGES, folder, path)));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !explained.has(name))).toEqual([]);
  },
);
