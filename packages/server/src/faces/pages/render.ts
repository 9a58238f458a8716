/**
 * The Render port: whoever draws pages gets data and gives back HTML. The plain renderer beside it needs no script and no
 * build; a richer one may stand in for it, and then the plain one is what remains when that is missing.
 */

import type { HoldOut } from "@holdpoint/protocol";
import type { Ask, JsonObject, Problem } from "@holdpoint/protocol/rules";
import { PAGE_HEADERS, STRICT_CSP } from "../http/page.ts";

/** How a hold that this one follows up ended, in words for who looks at the next. */
export interface EarlierRound {
  readonly prompt?: string;
  readonly status: HoldOut["status"];
  readonly action?: string;
  readonly feedback?: string;
  readonly by?: string;
  readonly at: string;
}

export interface ReviewView {
  readonly hold: HoldOut;
  /** `null` once erased. */
  readonly ask: Ask | null;
  /** Where the answer form is posted; absent when there is nothing to answer. */
  readonly answerPath: string;
  readonly dismissPath: string;
  /** Where a page with script reads the hold again, and keeps what was filled in so far; by link only. */
  readonly statePath?: string;
  readonly draftPath?: string;
  readonly uploadPath?: string;
  /** What a link adds to the address of a file that the answer names; absent where people are signed in. */
  readonly fileQuery?: string;
  /** Where the page fetches what a field starts with, by key: this server's own addresses only. */
  readonly prefillPaths?: Readonly<Record<string, string>>;
  /** The step that was reached when what was filled in was last kept. */
  readonly step?: number;
  /** The rounds before this one, oldest first; absent in the first. */
  readonly earlier?: readonly EarlierRound[];
  /** Now, so that the page can say how long is left. */
  readonly now: number;
  /** What was wrong with what was just sent, and what was sent. */
  readonly problems: readonly Problem[];
  readonly values: JsonObject;
  /** Right after this very person answered. */
  readonly justAnswered: boolean;
  /** Said at the top: the race was lost, the page was old. */
  readonly notice?: string;
  /** In the console: who is signed in, and the token that forms carry. */
  readonly console?: { readonly name: string; readonly csrf: string };
}

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

/** A page with nothing to decide on: its words come from `words.ts`, whoever draws it. */
export interface SimplePage {
  readonly title: string;
  readonly text: string;
}

/** The frame of a page that is drawn by script: who is signed in, and what this server allows. */
export interface AppView {
  readonly name: string;
  readonly role: string;
  readonly csrf: string;
  readonly now: number;
  readonly publicUrl: string;
  readonly version: string;
  /** Whether only this machine reaches the server: then there is a playground. */
  readonly isLocal: boolean;
  /** Where the same is shown without script. */
  readonly plainPath: string;
}

export interface Renderer {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: the console is drawn without script. */
  app?(view: AppView): string;
  review(view: ReviewView): string;
  inbox(view: InboxView): string;
  simple(page: SimplePage): string;
}

/** The same with script from here, and nothing inline. */
export const SCRIPTED_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": `${STRICT_CSP}; script-src 'self'; connect-src 'self'; manifest-src 'self'`,
} as const;
