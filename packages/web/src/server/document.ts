/** The frame of every page: no inline script, no other origin. State travels as data that cannot end its element. */

import { escapeHtml } from "@holdpoint/protocol/rules";

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly name?: string;
  readonly page?: string;
}

export type Manifest = Readonly<Record<string, Chunk>>;

const BASE = "/assets/web/";
const url = (file: string) => BASE + file;

export interface Document {
  readonly title: string;
  readonly entry?: string;
  readonly body: string;
  /** Parts that the body shows and the page loads before it takes over. */
  readonly parts?: readonly string[];
  readonly state?: object;
  readonly head?: string;
}

export function documentOf(manifest: Manifest, given: Document): string {
  const { title, entry, body, parts = [], state, head = "" } = given;
  const theme = manifest["src/theme.ts"]?.file;
  const chunks = entry === undefined ? [] : reached(manifest, [entry, ...keysOf(manifest, entry, parts)]);
  const styles = chunks.flatMap(({ css = [] }) => css);
  const [first, ...others] = chunks.map(({ file }) => file);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title><link rel="icon" href="data:,">`,
    theme === undefined ? "" : `<script src="${url(theme)}"></script>`,
    ...styles.map((file) => `<link rel="stylesheet" href="${url(file)}">`),
    ...others.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
    first === undefined ? "" : `<script type="module" src="${url(first)}"></script>`,
    head,
    `</head><body><div id="root"${parts.length === 0 ? "" : ` data-parts="${parts.join(" ")}"`}>${body}</div>`,
    state === undefined ? "" : `<script type="application/json" id="state">${safeJson(state)}</script>`,
    "</body></html>",
  ].join("");
}

function keysOf(manifest: Manifest, entry: string, parts: readonly string[]): readonly string[] {
  const here = manifest[entry]?.page;
  return Object.entries(manifest).flatMap(([key, { name, page }]) =>
    page === here && name !== undefined && parts.includes(name) ? [key] : [],
  );
}

/** The entry first, then whatever it imports before it runs. */
function reached(manifest: Manifest, entries: readonly string[]): readonly Chunk[] {
  const found = new Map<string, Chunk>();
  const waiting = [...entries];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const chunk = manifest[name];
    if (chunk === undefined || found.has(name)) continue;
    found.set(name, chunk);
    waiting.push(...(chunk.imports ?? []));
  }
  return [...found.values()];
}

function safeJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
