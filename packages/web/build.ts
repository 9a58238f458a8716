/**
 * Builds what the server serves: a client bundle with hashed names, compressed ahead, and one server bundle that draws the
 * review page. Both from the same components.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type InlineConfig, type Plugin } from "vite";
import { icon } from "./icons.ts";

// Whoever starts the build, a test runner for instance: what comes out is what is served.
process.env["NODE_ENV"] = "production";

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

/** Each page on its own: what the console needs besides must not weigh on a reviewer's phone. */
const PAGES = {
  theme: "src/theme.ts",
  review: "src/review/main.tsx",
  app: "src/app/main.tsx",
  signIn: "src/sign-in/main.tsx",
} as const;

/** Many small files compress worse than one: whatever the review page needs at once is one beside its entry. */
const LATE =
  /components\/(?:answer-inputs|diff-view|error-card|file-input|argument|choices|field|form|markdown|plain|rounds|schema|table|votes|grant|ending)|client\/(?:vote-words|decider)|headless\/(?:diff\.|form|schema|markdown|checks|past|send-file|visible-json)|json-schema|rules\/(?:gating|check|field|file\.|form-post|schema|shown|visible\.|escape|mask|date)|cfworker|web\/src|\.css/;
const isBase = (id: string): boolean => !LATE.test(id);

/** What the argument editor and the ending share; neither is part of the first load. */
const CHANGES = /headless\/diff\./;

/** Imports as they stand. Vite's own helper loads styles that no late part of ours has. */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) =>
    id.includes("vite/preload-helper") ? "export const __vitePreload = (load) => load();" : undefined,
};

function client(name: string, input: string): InlineConfig {
  return {
    ...shared,
    base: "/assets/web/",
    plugins: [plainImports],
    build: {
      outDir: "dist/client",
      emptyOutDir: false,
      manifest: `manifest-${name}.json`,
      modulePreload: false,
      target: "es2022",
      cssMinify: true,
      rollupOptions: {
        // "use client" says nothing to a page that is all client.
        onwarn: (warning, warn) => (warning.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : warn(warning)),
        input: { [name]: input },
        output: {
          entryFileNames: "[name]-[hash].js",
          chunkFileNames: "[name]-[hash].js",
          assetFileNames: "[name]-[hash][extname]",
          ...(name === "review"
            ? {
                codeSplitting: {
                  groups: [
                    { name: "base", test: isBase },
                    { name: "changes", test: CHANGES },
                  ],
                },
              }
            : {}),
        },
      },
    },
  };
}

/** One file with a name that stays: a browser finds a newer worker only under the same address. */
const worker: InlineConfig = {
  ...shared,
  build: {
    outDir: "dist/client",
    emptyOutDir: false,
    target: "es2022",
    rollupOptions: {
      input: "src/worker/worker.ts",
      output: { format: "iife", entryFileNames: "console-worker.js" },
    },
  },
};

/** With which the console is installed on a home screen. */
function writeInstallable(folder: string): void {
  const icons = [
    ["icon-192.png", 192, 0.12, "any"],
    ["icon-512.png", 512, 0.12, "any"],
    ["icon-mask-512.png", 512, 0.24, "maskable"],
  ] as const;
  for (const [name, size, margin] of icons) writeFileSync(join(folder, name), icon(size, margin));
  const manifest = {
    ...{ name: "Holdpoint", short_name: "Holdpoint", id: "/console", start_url: "/console", scope: "/" },
    ...{ display: "standalone", background_color: "#f5f4f1", theme_color: "#f5f4f1" },
    description: "Questions of AI agents that wait for a person.",
    icons: icons.map(([name, size, , purpose]) => ({
      ...{ src: `/assets/web/${name}`, sizes: `${size}x${size}`, type: "image/png", purpose },
    })),
    shortcuts: [
      { name: "Overview", url: "/console/overview" },
      { name: "History", url: "/console/history" },
    ],
  };
  writeFileSync(join(folder, "console.webmanifest"), JSON.stringify(manifest, null, 2));
}

/** One manifest for the server; shared parts are told apart by the page that loads them. */
function joinManifests(folder: string): void {
  const joined: Record<string, object> = {};
  for (const name of Object.keys(PAGES)) {
    const file = join(folder, `manifest-${name}.json`);
    const inPage = (key: string) => (key.startsWith("src/") ? key : `${name}:${key}`);
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, Chunk>;
    for (const [key, chunk] of Object.entries(manifest)) {
      joined[inPage(key)] = { ...chunk, page: name, imports: (chunk.imports ?? []).map(inPage) };
    }
    rmSync(file);
  }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(joined, null, 2));
}

interface Chunk {
  readonly imports?: readonly string[];
}

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
for (const [name, input] of Object.entries(PAGES)) await build(client(name, input));
joinManifests(join(root, "dist/client"));
await build(worker);
writeInstallable(join(root, "dist/client"));
await build(server);
compress(join(root, "dist/client"));
