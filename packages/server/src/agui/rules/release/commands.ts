/** Commands on releases. */

import type { PlaceGroup } from "../../../kernel/hold/commands.ts";
import type { Principal } from "../../../kernel/principal.ts";

interface About {
  readonly workspace: string;
  readonly by: Principal;
  /** The group's id, which is also the release's id. */
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

/** Places the group and opens its release in one commit: a server that dies leaves no group whose answers nobody sends. */
export interface PlaceReleasedGroup extends Omit<PlaceGroup, "kind"> {
  readonly kind: "place_released_group";
  readonly release: Omit<OpenRelease, "kind" | keyof About>;
}

/** Takes effect only if the release may be sent. The caller must compare the fence to learn whether it may send. */
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
  /** `pending`: it is known not to have arrived, and is retried after a delay. */
  readonly state: "released" | "pending" | "unknown" | "failed";
  readonly error?: string;
}

/** An operator decides about a release that is stuck. */
export interface DecideRelease extends About {
  readonly kind: "decide_release";
  readonly decision: "retry" | "mark_released";
}

/** Issued by the server's timer, not by a caller. */
export interface TickRelease extends About {
  readonly kind: "tick_release";
}

export type ReleaseCommand =
  | OpenRelease
  | PlaceReleasedGroup
  | BeginRelease
  | RenewRelease
  | FinishRelease
  | DecideRelease
  | TickRelease;
