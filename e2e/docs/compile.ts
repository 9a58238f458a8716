/** TypeScript from the pages, compiled as it stands, all of it in one go. */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./pages.ts";

const { resolve } = createRequire(import.meta.url);

/** Name → code. What the compiler says, which should be nothing. */
export async function compile(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-docs-"));
  try {
    for (const [name, code] of Object.entries(files))
      writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    // As in a clone: packages are found by their names.
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const compilerOptions = { typeRoots: [join(ROOT, "node_modules/@types")], noUnusedLocals: false };
    const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["*.mts", "*.tsx"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    // As bundlers have it.
    writeFileSync(join(folder, "styles.d.mts"), 'declare module "*.css";\n');
    const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc");
    const said = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    // What is wrong with the packages themselves is for others to say.
    return said
      .split("\n")
      .filter((line) => line.includes(basename(folder)))
      .join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
