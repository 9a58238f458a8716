/**
 * The Render port: a renderer gets data and returns HTML. The plain renderer needs no JavaScript and no build. The built pages
 * replace it where they are installed; otherwise the server uses the plain renderer.
 */

import type { AppView, HoldOut, ReviewView, SignInView, SimplePage } from "@holdpoint/protocol";
import { PAGE_HEADERS, STRICT_CSP } from "../http/page.ts";

export interface InboxView {
  readonly name: string;
  readonly role: string;
  readonly csrf: string;
  readonly status: "open" | "decided" | "expired" | "cancelled";
  readonly query: string;
  readonly holds: readonly HoldOut[];
  readonly next: string | null;
  readonly now: number;
}

export interface Renderer {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the console has only pages without JavaScript. */
  app?(view: AppView): string;
  review(view: ReviewView): string;
  inbox(view: InboxView): string;
  simple(page: SimplePage): string;
  signIn(view: SignInView): string;
}

/** The same policy, with scripts from this server and no inline scripts. */
export const SCRIPTED_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": `${STRICT_CSP}; script-src 'self'; connect-src 'self'; manifest-src 'self'`,
} as const;

/**
 * The page with script is laid out by the server too: it makes an element for each value and for each mark of a Markdown text.
 * That takes about 0.6 µs for a character and ten times as much for a value, so this is about 50 ms (G13).
 */
const LAID_OUT_MAX = 64_000;
const WORK_OF_A_VALUE = 10;

/** Whether the page takes too long to lay out with script. It is shown whole, but plainly. */
export function isLong({ ask: _sameAsOfTheHold, ...view }: ReviewView): boolean {
  return workLeft(view, LAID_OUT_MAX) < 0;
}

/** Stops as soon as nothing is left. */
function workLeft(value: unknown, left: number): number {
  if (typeof value === "string") return left - value.length;
  if (typeof value !== "object" || value === null) return left - WORK_OF_A_VALUE;
  let rest = left - WORK_OF_A_VALUE;
  for (const name in value) {
    if (rest < 0) return rest;
    rest = workLeft(value[name as keyof typeof value], rest - name.length);
  }
  return rest;
}
