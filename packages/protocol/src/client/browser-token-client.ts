/** How an app's server lets its pages read and answer holds. */

import type { CallOptions } from "./hold-client.ts";

/** Whom a page may answer for, and what it reaches. */
export interface BrowserTokenGiven {
  /** The app's own user with an app key; a person of the directory with an operator's or admin's key. */
  readonly person: string;
  /** The one hold that it reads and answers; absent: the person's inbox. */
  readonly holdId?: string;
  /** Only pages of these origins may use it. */
  readonly origins?: readonly string[];
  /** `15m` when absent; at most `1h`. */
  readonly expiresIn?: string;
}

export interface BrowserToken {
  readonly id: string;
  /** Give it to the page. It is shown once. */
  readonly token: string;
  readonly person: string;
  readonly holdId?: string;
  readonly origins?: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface BrowserTokenClient {
  makeBrowserToken(given: BrowserTokenGiven, options?: CallOptions): Promise<BrowserToken>;
}
