/** The pages with script, as built by `packages/web`. If they were not built, the plain pages are served. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type PageDeps, plainRenderer, type Renderer, SCRIPTED_HEADERS } from "./faces/pages/index.ts";

/** In a published package the pages are beside its code; in a clone they are in the neighbouring package. */
const BUILT = ["../web/", "../../web/dist/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
};

/** Files whose names stay the same when their content changes. */
const UNNAMED = /^(?:console-worker\.js|console\.webmanifest|icon-[\w-]+\.png)$/;

/** The encodings that the build precompressed, best first. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

interface ServerBundle {
  createRenderer(manifest: object): Omit<Renderer, "headers" | "inbox">;
}

export async function loadWebPages(
  folder = BUILT.find((each) => existsSync(each)) ?? "",
): Promise<Pick<PageDeps, "renderer" | "asset"> | undefined> {
  const bundle = join(folder, "server", "render.js");
  const manifest = join(folder, "client", "manifest.json");
  if (!existsSync(bundle) || !existsSync(manifest)) return undefined;
  const { createRenderer } = (await import(pathToFileURL(bundle).href)) as ServerBundle;
  const renderer = {
    ...createRenderer(JSON.parse(readFileSync(manifest, "utf8"))),
    headers: SCRIPTED_HEADERS,
    inbox: plainRenderer.inbox,
  };
  return { renderer, asset: assetsIn(join(folder, "client")) };
}

/** Keeps all files in memory: they are few and small, and their names contain a hash of their content. */
function assetsIn(folder: string): NonNullable<PageDeps["asset"]> {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  return (path, acceptEncoding) => {
    const type = TYPES[path.split(".").at(-1) ?? ""];
    const plain = files.get(path);
    if (type === undefined || plain === undefined) return undefined;
    const [encoding, suffix] = ENCODINGS.find(
      ([name, end]) => acceptEncoding.includes(name) && files.has(path + end),
    ) ?? ["", ""];
    return new Response(files.get(path + suffix) as Uint8Array<ArrayBuffer>, {
      headers: {
        "content-type": type,
        "cache-control": UNNAMED.test(path) ? "no-cache" : "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        vary: "accept-encoding",
        ...(encoding === "" ? {} : { "content-encoding": encoding }),
      },
    });
  };
}
