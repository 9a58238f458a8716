/** The TypeScript of a guide, compiled as it stands: each block is a file of its own. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** What the compiler says; `paths` are the packages that the guide imports, by their entry files. */
export async function compileGuide(
  guide: string,
  paths: Readonly<Record<string, string>>,
): Promise<{ readonly blocks: number; readonly said: string }> {
  const text = readFileSync(join(ROOT, guide), "utf8");
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
  try {
    for (const [index, code] of blocks.entries()) {
      writeFileSync(join(folder, `block-${index}.mts`), `${code}\nexport {};\n`);
    }
    const entries = Object.entries(paths).map(([name, entry]) => [name, [join(ROOT, entry)]]);
    const compilerOptions = {
      paths: Object.fromEntries(entries),
      typeRoots: [dirname(dirname(resolve("@types/node/package.json")))],
      noEmit: true,
      noUnusedLocals: false,
    };
    const config = { extends: join(ROOT, "tsconfig.json"), compilerOptions, include: ["*.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc");
    const said = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    return { blocks: blocks.length, said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
