/** What the OpenIntent face needs from the server. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Ids } from "../../system/ids.ts";
import type { IntentCheckpointer } from "../reads/intent-checkpointer.ts";
import type { Intents } from "../reads/intents.ts";

export interface OpenIntentDeps {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly intents: Intents;
  readonly checkpoints: Pick<IntentCheckpointer, "make">;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** Whether an intent may begin before what it depends on is complete; absent: it may not. */
  readonly activationGate?: "strict" | "soft";
  /** Who has access to new intents that are not shared; absent: their creators only. */
  readonly defaultAccess?: "owner" | "open";
  /** The platform's retry policy for suspensions that name none. */
  readonly retryPolicy: JsonObject | null;
  /** Why a webhook may not be sent to an address; `null` if it may. */
  readonly whyNotTarget: (url: string) => string | null;
}
