/** What the HITL face stands on. */

import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Holds } from "../../engine/holds.ts";
import type { Limiter } from "../../identity/limiter.ts";
import type { Ids } from "../../system/ids.ts";
import type { MountOptions } from "../http/mount.ts";
import type { SignResult } from "./signature.ts";

/** What the server gives it. */
export interface HitlParts {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** Whether a callback may be sent there; `null`: yes. */
  readonly whyNotTarget: (url: string) => string | null;
  /** Absent on a server that has no key to sign results with. */
  readonly signResult?: SignResult;
  /** Takes the answer form of a browser, which is answered with a page. */
  readonly answerOnPage?: (options: MountOptions) => (c: Context) => Promise<Response>;
}

export interface HitlDeps extends HitlParts {
  /** How often each case was polled of late. */
  readonly polls: Limiter;
}
