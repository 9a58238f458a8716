/**
 * Builds what the server serves: a client bundle with hashed names, compressed ahead, and one server bundle that draws the
 * review page. Both from the same components.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type InlineConfig } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const SOURCE = "@holdpoint/source";

const shared: InlineConfig = {
  root,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: { conditions: [SOURCE, "module", "browser", "production"] },
};

const client: InlineConfig = {
  ...shared,
  base: "/assets/web/",
  build: {
    outDir: "dist/client",
    emptyOutDir: true,
    manifest: "manifest.json",
    modulePreload: false,
    target: "es2022",
    cssMinify: true,
    rollupOptions: {
      input: { theme: "src/theme.ts", review: "src/review/main.tsx", app: "src/app/main.tsx" },
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
      },
    },
  },
};

const server: InlineConfig = {
  ...shared,
  ssr: { noExternal: true, resolve: { conditions: [SOURCE, "module", "node", "production"] } },
  build: {
    outDir: "dist/server",
    emptyOutDir: true,
    ssr: "src/server/render.tsx",
    target: "node22",
    rollupOptions: { output: { entryFileNames: "render.js" } },
  },
};

/** Once, here, as well as it goes; the server only picks. */
function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(?:js|css|svg)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, { params }));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

rmSync(join(root, "dist"), { recursive: true, force: true });
await build(client);
await build(server);
compress(join(root, "dist/client"));
