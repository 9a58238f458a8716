/** What the HITL face needs. */

import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Holds } from "../../engine/holds.ts";
import type { Limiter } from "../../identity/limiter.ts";
import type { Ids } from "../../system/ids.ts";
import type { MountOptions } from "../http/mount.ts";
import type { SignResult } from "./signature.ts";
import type { Verifiers } from "./verifiers.ts";

/** What the server passes in. */
export interface HitlParts {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** Why a callback may not be sent to an address; `null` if it may. */
  readonly whyNotTarget: (url: string) => string | null;
  /** Absent if the server has no key to sign results with. */
  readonly signResult?: SignResult;
  /** Who checks evidence, by the name of the provider; nobody if absent. */
  readonly verifiers?: Verifiers;
  /** Handles the answer form that a browser posts, and replies with a page. */
  readonly answerOnPage?: (options: MountOptions) => (c: Context) => Promise<Response>;
}

export interface HitlDeps extends HitlParts {
  /** How often each case was polled recently. */
  readonly polls: Limiter;
}
