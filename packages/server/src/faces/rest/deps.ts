/** What the native face needs from the server. */

import type { Engine } from "../../engine/engine.ts";
import type { Feed } from "../../engine/feed.ts";
import type { Files } from "../../engine/files.ts";
import type { Holds } from "../../engine/holds.ts";
import type { Verify } from "../../engine/verify.ts";
import type { PasskeyPort } from "../../identity/passkey-port.ts";
import type { Ids } from "../../system/ids.ts";

/** Why a callback or webhook may not be sent to an address; `null` if it may. */
export type WhyNotTarget = (url: string) => string | null;

/** What the face shows of chats. */
export interface ChatsPort {
  states(): readonly {
    readonly name: string;
    readonly platform: string;
    readonly listener: "connected" | "starting" | "standby" | { readonly error: string };
  }[];
  /** Who the bot of a channel is; `undefined`: its platform did not say. */
  identity(channel: string): Promise<{ readonly name: string; readonly address?: string } | undefined>;
}

export interface RestDeps {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly files: Files;
  readonly ids: Ids;
  readonly passkeys: PasskeyPort;
  readonly chats: ChatsPort;
  readonly publicUrl: string;
  readonly whyNotTarget: WhyNotTarget;
  /** Wakes the sender after a message was put back into the queue by hand. */
  readonly wakeSender: () => void;
  /** Verifies the whole log, with what every domain checks of its own part. */
  readonly verify: Verify;
  readonly version: string;
  /** Servers that share a database count in different shards, so that they do not wait for each other. */
  readonly shard: number;
  /** How long recorded checks are kept for replay. */
  readonly checkRetentionMs: number;
}
