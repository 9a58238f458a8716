/** The Dockerfile read as text, because not every machine has an engine: what it copies, installs and starts exists. */

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import server from "../../packages/server/package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const after = (word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
/** What the first stage copies out of the repository. */
const copied = after("COPY")
  .filter((line) => !line.startsWith("--from="))
  .flatMap((line) => line.split(/\s+/).slice(0, -1));

test("the image copies only what exists and what .dockerignore lets through", () => {
  const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").trim().split("\n");
  expect(copied.filter((path) => !existsSync(join(ROOT, path)) || ignored.includes(path))).toEqual([]);
});

test("the image has the manifest of every workspace before it installs", () => {
  const manifests = globSync("packages/*/package.json", { cwd: ROOT });
  expect(copied).toEqual(expect.arrayContaining(["package.json", "package-lock.json", ...manifests]));
});

test("the image has what packing reads besides the packages", () => {
  expect(copied).toEqual(
    expect.arrayContaining(["tsconfig.json", "LICENSE", "CHANGELOG.md", "tools", "packages"]),
  );
});

test("the image installs the tarballs, starts the package's own command and stays off root", () => {
  expect(lines).toContain("RUN node tools/pack.ts /tarballs");
  expect(lines).toContain("COPY --from=build /tarballs /tarballs");
  expect(lines.find((line) => line.startsWith("RUN npm install"))).toContain("/tarballs/*.tgz");
  expect(after("ENTRYPOINT")).toEqual([
    `["node", "node_modules/holdpoint/${server.bin.holdpoint.slice(2)}"]`,
  ]);
  expect(after("USER")).toEqual(["node"]);
});

test("the image has a Node version that the server supports", () => {
  const versions = after("FROM").map((line) => Number(/^node:(\d+)/.exec(line)?.[1]));
  const needed = Number(/\d+/.exec(server.engines.node)?.[0]);
  expect(Math.min(...versions)).toBeGreaterThanOrEqual(needed);
});
