/** What the service worker keeps, and what makes it forget. */

/** Of the reads, the newest so many. */
export const KEPT_MAX = 150;

/** Signing out and in: what the person before has read is theirs. */
export const CLEARS = /^\/sign(?:out|in)(?:\/|$)/;

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
