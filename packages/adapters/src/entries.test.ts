/** Nothing of a framework is loaded unless its entry is imported. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const OWN: Readonly<Record<string, RegExp>> = {
  "./ai-sdk": /^ai$/,
  "./openai-agents": /^@openai\/agents$/,
  "./langgraph": /^@langchain\/langgraph$/,
  "./testing": /^@holdpoint\/sdk\/testing$/,
};

const manifest = JSON.parse(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"));

/** Every module that a source file imports by value, and those that they import. */
function imported(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return new Set();
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const found = new Set<string>();
  const clauses = text.matchAll(/^(?:import|export) ([^;]*?) from "([^"]+)";/gms);
  // For its effects alone, or when it is needed; not in an example of a comment.
  const others = text.matchAll(/^(?! *\*)(.*?)\bimport *\(? *"([^"]+)"/gm);
  for (const [, clause = "", specifier = ""] of [...clauses, ...others]) {
    if (clause.startsWith("type ")) continue;
    if (!specifier.startsWith(".")) found.add(specifier);
    else
      for (const each of imported(fileURLToPath(new URL(specifier, `file://${file}`)), seen)) found.add(each);
  }
  return found;
}

it.each(Object.entries(manifest.exports as Record<string, Record<string, string>>))(
  "the entry point %s imports its own framework and no other",
  (entry, conditions) => {
    const source = fileURLToPath(new URL(`../${conditions["@holdpoint/source"]}`, import.meta.url));
    const others = [...imported(source)].filter(
      (name) =>
        !name.startsWith("@holdpoint/protocol") && !name.startsWith("node:") && !OWN[entry]?.test(name),
    );
    expect(others).toEqual([]);
  },
);

it("every framework is an optional peer dependency", () => {
  const { peerDependencies, peerDependenciesMeta, dependencies } = manifest;
  expect(Object.keys(dependencies)).toEqual(["@holdpoint/protocol"]);
  for (const name of Object.keys(peerDependencies))
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
  expect(Object.keys(peerDependencies)).toEqual(
    expect.arrayContaining(["ai", "@openai/agents", "@langchain/langgraph"]),
  );
});
