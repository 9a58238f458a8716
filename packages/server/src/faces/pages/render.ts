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
