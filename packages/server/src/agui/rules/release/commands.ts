/** What can be done with releases. */

import type { Principal } from "../../../kernel/principal.ts";

interface About {
  readonly workspace: string;
  readonly by: Principal;
  /** Of the group. */
  readonly groupId: string;
}

export interface OpenRelease extends About {
  readonly kind: "open_release";
  readonly proxy: string;
  readonly threadId: string;
  readonly caller: string;
  readonly autoResume: boolean;
  readonly idempotent: boolean;
}

/** Taken only while it may be sent: look at the fence to see whether it is yours. */
export interface BeginRelease extends About {
  readonly kind: "begin_release";
  readonly fenceId: string;
  readonly leaseMs: number;
}

export interface RenewRelease extends About {
  readonly kind: "renew_release";
  readonly fenceId: string;
  readonly leaseMs: number;
}

export interface FinishRelease extends About {
  readonly kind: "finish_release";
  readonly fenceId: string;
  /** `pending`: it surely did not arrive, and may be tried again after a while. */
  readonly state: "released" | "pending" | "unknown" | "failed";
  readonly error?: string;
}

/** A person has looked at what happened. */
export interface DecideRelease extends About {
  readonly kind: "decide_release";
  readonly decision: "retry" | "mark_released";
}

/** The clock's own command. */
export interface TickRelease extends About {
  readonly kind: "tick_release";
}

export type ReleaseCommand =
  | OpenRelease
  | BeginRelease
  | RenewRelease
  | FinishRelease
  | DecideRelease
  | TickRelease;
