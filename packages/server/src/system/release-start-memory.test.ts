import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MODULE = fileURLToPath(new URL("release-start-memory.ts", import.meta.url));

/** In a process of its own, so that memory of other tests does not count. */
const SCRIPT = `
import { getHeapSpaceStatistics } from "node:v8";
import { releaseStartMemory } from ${JSON.stringify(MODULE)};
const kept = [];
for (let i = 0; i < 400_000; i += 1) kept.push({ i, text: "x" + i });
const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").physical_space_size;
const before = size();
releaseStartMemory();
console.log(JSON.stringify({ before, after: size(), kept: kept.length, exposed: typeof globalThis.gc }));
`;

test("releaseStartMemory gives the pages of V8's young generation back, and exposes no function to the program", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { before, after, exposed } = JSON.parse(stdout);
  expect(before).toBeGreaterThan(4 * 2 ** 20);
  expect(after).toBeLessThan(2 ** 20);
  expect(exposed).toBe("undefined");
});
