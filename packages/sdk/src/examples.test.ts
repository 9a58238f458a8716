/** Examples in the documentation of the package compile as they stand. */

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));
const { resolve } = createRequire(import.meta.url);

async function examples(): Promise<readonly string[]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(SOURCES, name), "utf8")));
  return texts.flatMap((text) =>
    [...text.matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```$/gm)].map(([, code = ""]) => plain(code)),
  );
}

function plain(comment: string): string {
  return comment.replaceAll(/^ *\* ?/gm, "");
}

it("every example of the package compiles", async () => {
  const codes = await examples();
  expect(codes.length).toBeGreaterThanOrEqual(5);
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-examples-"));
  try {
    await Promise.all(codes.map((code, at) => writeFile(join(folder, `example-${at}.mts`), code)));
    const paths = {
      "@holdpoint/sdk": [join(SOURCES, "index.ts")],
      "@holdpoint/sdk/webhooks": [join(SOURCES, "webhooks/index.ts")],
      zod: [join(dirname(resolve("zod/package.json")), "index.d.ts")],
    };
    const types = { types: ["node"], typeRoots: [dirname(dirname(resolve("@types/node/package.json")))] };
    const compilerOptions = { ...types, paths, noEmit: true, noUnusedLocals: false };
    const config = { extends: join(SOURCES, "../../../tsconfig.json"), compilerOptions, include: ["*.mts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc");
    const run = promisify(execFile)(process.execPath, [tsc, "-p", folder]);
    const said = await run.then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    expect(said).toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});
