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
