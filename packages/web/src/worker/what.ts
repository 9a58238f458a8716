/** What the service worker keeps, and for whom. */

/** Of the reads, the newest so many. */
export const KEPT_MAX = 150;

/** The parameter of the worker's address that says whose reading it keeps. */
export const KEPT_FOR = "for";

export interface CacheNames {
  readonly pages: string;
  readonly reads: string;
  readonly assets: string;
}

/**
 * Pages and reads have the reader in their names: signing in and out happens outside the worker's scope, so that it cannot know
 * that another person reads now. The numbers change when what is kept changes.
 */
export function cacheNames(reader: string): CacheNames {
  return {
    pages: `holdpoint-pages-3-${reader}`,
    reads: `holdpoint-reads-2-${reader}`,
    assets: "holdpoint-assets-1",
  };
}

/** Deletes what was kept for others; without a reader, what was kept for anybody. Built files are nobody's. */
export async function forgetOthers(caches: CacheStorage, reader?: string): Promise<void> {
  const { pages, reads, assets } = cacheNames(reader ?? "");
  const stay = reader === undefined ? [assets] : [pages, reads, assets];
  const names = (await caches.keys()).filter((name) => name.startsWith("holdpoint-") && !stay.includes(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** One session of one person, without saying which. The token is known to this browser and the server alone. */
export async function readerOf(name: string, csrf: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${name}\n${csrf}`));
  return Array.from(new Uint8Array(bytes, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const READ = /^\/v1\/(?:holds(?:\/[\w-]+(?:\/links)?)?|hold-counts|overview|activity|people|deliveries|me)$/;

export function isAsset({ pathname }: URL): boolean {
  return pathname.startsWith("/assets/web/");
}

/** Streams and downloads are not kept, and neither is anything that is not the console's own reading. */
export function isRead({ pathname }: URL, accept: string | null): boolean {
  return READ.test(pathname) && accept?.includes("text/event-stream") !== true;
}

/** When a page was kept, in its own headers. */
const KEPT_AT = "x-holdpoint-kept-at";

export async function withKeptAt(page: Response, now: number): Promise<Response> {
  const headers = new Headers(page.headers);
  headers.set(KEPT_AT, String(now));
  // It is kept as it was read.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(await page.text(), { status: page.status, headers });
}

/**
 * A page tells the server's time. One that was kept for an hour tells it an hour later, or every deadline would be off by that.
 * Its stream does not begin where it was kept: all events since then would be sent.
 */
export async function aged(page: Response, now: number): Promise<Response> {
  const since = now - Number(page.headers.get(KEPT_AT) ?? now);
  const later = (_all: string, name: string, at: string) => `${name}${Number(at) + since}`;
  const text = (await page.text()).replace(/("now":)(\d+)/, later).replace(/"position":\d+,/, "");
  return new Response(text, { status: page.status, headers: page.headers });
}
