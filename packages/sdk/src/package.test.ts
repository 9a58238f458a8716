import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

test("who installs the SDK installs the protocol and nothing else of ours or others'", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["@holdpoint/protocol"]);
  // The protocol brings it; a peer, so that schemas people write and ours are of one copy.
  expect(Object.keys(manifest.peerDependencies)).toEqual(["zod"]);
});

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

function rootNames(): readonly string[] {
  return [...read("./index.ts").matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

test("the root exports at most 30 names", () => {
  expect(rootNames().length).toBeLessThanOrEqual(30);
});

test("every name that the root exports has a doc comment", () => {
  const cwd = fileURLToPath(new URL("../../", import.meta.url));
  const files = globSync(["sdk/src/*.ts", "protocol/src/client/*.ts"], { cwd });
  const sources = files.map((file) => readFileSync(`${cwd}${file}`, "utf8")).join("\n");
  const kinds = "(?:async )?(?:function|class|interface|type|const)";
  const bare = rootNames().filter((name) => !new RegExp(`\\*/\\nexport ${kinds} ${name}\\b`).test(sources));
  expect(bare).toEqual([]);
});
