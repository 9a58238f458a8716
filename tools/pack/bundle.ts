/**
 * Entries that are published as one file: they contain parts of packages that their users do not install. What Node brings is
 * replaced by portable modules, so that the file runs on old Nodes and on other runtimes.
 */

import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

const PORTABLE = fileURLToPath(new URL("../../packages/sdk/src/testing/portable/", import.meta.url));
const REPLACED: Readonly<Record<string, string>> = {
  "node:crypto": "crypto.ts",
  "node:fs/promises": "files.ts",
  "node:stream": "stream.ts",
  "node:timers/promises": "timers.ts",
};

const portable: Plugin = {
  name: "portable",
  enforce: "pre",
  resolveId: (id) => (Object.hasOwn(REPLACED, id) ? `${PORTABLE}${REPLACED[id]}` : undefined),
};

export interface Bundle {
  readonly entry: string;
  /** What stays an import. */
  readonly external?: readonly RegExp[];
}

/** Its code. Fails if something of Node is left that nothing replaces. */
export async function bundle({ entry, external = [] }: Bundle): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [portable],
    resolve: { conditions: ["@holdpoint/source", "import", "default"] },
    build: {
      write: false,
      target: "node20",
      lib: { entry, formats: ["es"] },
      rolldownOptions: {
        external: (id) =>
          id.startsWith("node:")
            ? !Object.hasOwn(REPLACED, id)
            : external.some((pattern) => pattern.test(id)),
        transform: { inject: { Buffer: [`${PORTABLE}buffer.ts`, "Buffer"] } },
        // Names and lines stay, because people read them in the stack traces of their tests.
        output: { codeSplitting: false, comments: false, minify: false },
      },
    },
  });
  const [{ output } = { output: [] }] = [result].flat() as Rolldown.RolldownOutput[];
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [file] : []));
  const [chunk, ...more] = chunks;
  if (chunk === undefined || more.length > 0) throw new Error(`${entry} became ${chunks.length} files`);
  const ofNode = chunk.imports.filter((name) => name.startsWith("node:"));
  if (ofNode.length > 0)
    throw new Error(`${entry} needs ${ofNode.join(", ")}: add a portable module for it in ${PORTABLE}`);
  return chunk.code;
}
