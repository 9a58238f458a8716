/** What the HITL face stands on. */

import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Holds } from "../../engine/holds.ts";
import type { Identity } from "../../identity/identity.ts";
import type { Ids } from "../../system/ids.ts";
import type { SignResult } from "./signature.ts";

export interface HitlDeps {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly identity: Identity;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** Whether a callback may be sent there; `null`: yes. */
  readonly whyNotTarget: (url: string) => string | null;
  /** Absent on a server that has no key to sign results with. */
  readonly signResult?: SignResult;
}
