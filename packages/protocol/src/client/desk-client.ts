/** Working through what waits, as people do; and how an agent replies to a question back. */

import type { CallOptions } from "./hold-client.ts";
import type { Hold } from "./types.ts";

export interface CommentGiven {
  readonly text: string;
  /** Asks the agent or app that placed the hold; it is told once. Only for people. */
  readonly askBack?: boolean;
}

/** `by` is a duration such as `2h`, added to the present expiry. */
export type MoreTime = { readonly by: string } | { readonly until: string };

export interface DeskClient {
  /** `null`: nobody in particular. */
  assign(holdId: string, to: string | null, options?: CallOptions): Promise<Hold>;
  /** A lost reply does not make a second comment. */
  comment(holdId: string, comment: CommentGiven, options?: CallOptions): Promise<Hold>;
  extend(holdId: string, time: MoreTime, options?: CallOptions): Promise<Hold>;
}
