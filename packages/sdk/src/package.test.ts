import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

test("the SDK depends on the protocol alone, and has Zod as its only peer", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["@holdpoint/protocol"]);
  // The protocol brings it; a peer, so that schemas people write and ours are of one copy.
  expect(Object.keys(manifest.peerDependencies)).toEqual(["zod"]);
});

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

function namesOf(entry: string): readonly string[] {
  return [...read(entry).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
}

test("the root exports fewer than 30 names", () => {
  expect(namesOf("./index.ts").length).toBeLessThan(30);
});

/** `npm run types` compiles the examples. */
test.each(["./index.ts", "./webhooks/index.ts", "./testing/index.ts"])(
  "every name that %s exports has a doc comment with an example",
  (entry) => {
    const cwd = fileURLToPath(new URL("../../", import.meta.url));
    const files = globSync(["sdk/src/{,webhooks/,testing/}*.ts", "protocol/src/client/*.ts"], { cwd });
    const sources = files.map((file) => readFileSync(`${cwd}${file}`, "utf8")).join("\n");
    const kinds = "(?:async )?(?:function|class|interface|type|const)";
    const comment = "/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/";
    const hasExample = (name: string) =>
      [...sources.matchAll(new RegExp(`${comment}\\nexport ${kinds} ${name}\\b`, "g"))].some(
        ([, text = ""]) => text.includes("@example"),
      );
    expect(namesOf(entry).length).toBeGreaterThan(3);
    expect(namesOf(entry).filter((name) => !hasExample(name))).toEqual([]);
  },
);
