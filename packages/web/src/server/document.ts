/** The frame of every page: no inline script, no other origin. State travels as data that cannot end its element. */

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

export type Manifest = Readonly<Record<string, Chunk>>;

const BASE = "/assets/web/";
const url = (file: string) => BASE + file;

export interface Document {
  readonly title: string;
  readonly entry?: string;
  readonly body: string;
  readonly state?: object;
  readonly head?: string;
}

export function documentOf(manifest: Manifest, { title, entry, body, state, head = "" }: Document): string {
  const theme = manifest["src/theme.ts"]?.file;
  const chunks = entry === undefined ? [] : reached(manifest, entry);
  const styles = chunks.flatMap(({ css = [] }) => css);
  const [first, ...others] = chunks.map(({ file }) => file);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${escapeText(title)}</title><link rel="icon" href="data:,">`,
    theme === undefined ? "" : `<script src="${url(theme)}"></script>`,
    ...styles.map((file) => `<link rel="stylesheet" href="${url(file)}">`),
    ...others.map((file) => `<link rel="modulepreload" href="${url(file)}">`),
    first === undefined ? "" : `<script type="module" src="${url(first)}"></script>`,
    head,
    `</head><body><div id="root">${body}</div>`,
    state === undefined ? "" : `<script type="application/json" id="state">${safeJson(state)}</script>`,
    "</body></html>",
  ].join("");
}

/** The entry first, then whatever it imports before it runs. */
function reached(manifest: Manifest, entry: string): readonly Chunk[] {
  const found = new Map<string, Chunk>();
  const waiting = [entry];
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

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
