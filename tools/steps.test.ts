import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./tidy/tree.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-steps-"));
  const scripts = { fine: "node -p 40+2", broken: "node -e process.exit(3)", never: "node -p 'never'" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...names: readonly string[]) {
  const steps = join(ROOT, "tools/steps.ts");
  return spawnSync(process.execPath, [steps, ...names], { cwd: folder, encoding: "utf8" });
}

test("steps that pass are named with the time they took", () => {
  const { status, stdout } = run("fine", "fine");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^42\n✓ npm run fine \(\d+\.\d s\)\n42\n✓ npm run fine/);
});

test("the first step that fails is named, and nothing after it runs", () => {
  const { status, stdout, stderr } = run("fine", "broken", "never");
  expect(status).toBe(1);
  expect(stdout).not.toContain("never");
  expect(stderr).toMatch(/✗ npm run broken failed .* Not run: npm run never, everything that follows\./);
});

test("npm test begins with types, lint, unused exports, tidy and coverage, each once, and then runs every other test", async () => {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  const { scripts } = manifest;
  expect(scripts.test).toMatch(/^node tools\/steps\.ts types lint unused tidy coverage && /);
  expect(scripts["test:full"]).toMatch(/^node tools\/steps\.ts types lint unused tidy coverage && /);
  const { default: config } = await import("../vitest.config.ts");
  for (const [script, mode, before] of [
    ["test", "test", ["tidy", "rules"]],
    ["test:full", "full", ["tidy"]],
  ] as const) {
    const { test: of } = await config({ mode, command: "serve" });
    const names = (of?.projects ?? []).map((project) => (project as { test: { name: string } }).test.name);
    const run = [...scripts[script].matchAll(/--project (\w+)/g)].map(([, name]) => name);
    expect([...before, ...run]).toEqual(names);
  }
});
