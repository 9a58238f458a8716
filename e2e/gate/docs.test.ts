/** The code in the gate's guide compiles as it stands, read from top to bottom. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { resolve } = createRequire(import.meta.url);

test("the guide's code compiles", { timeout: 120_000 }, async () => {
  const guide = readFileSync(join(ROOT, "docs/integrate/gate.md"), "utf8");
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
  try {
    writeFileSync(join(folder, "guide.mts"), `${blocks.join("\n")}\nexport { agent, goOn };\n`);
    const source = join(ROOT, "packages/sdk/src");
    const paths = {
      "@holdpoint/sdk": [join(source, "index.ts")],
      "@holdpoint/sdk/gate": [join(source, "gate/index.ts")],
      "@holdpoint/sdk/gate/host": [join(source, "gate/host/index.ts")],
    };
    const typeRoots = [dirname(dirname(resolve("@types/node/package.json")))];
    const compilerOptions = { paths, typeRoots, noEmit: true, noUnusedLocals: false };
    const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["*.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc");
    const said = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    expect(said).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
