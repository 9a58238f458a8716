/** The key that all servers of a database sign web push messages with. The first server that needs it makes it. */

import { LOG_WORKSPACE } from "../../engine/checkpointer.ts";
import type { Engine } from "../../engine/engine.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import { PUSH_KEY, type PushKey } from "../../kernel/push/push.ts";
import { newPushKey } from "./vapid.ts";

export function pushKeys(engine: Pick<Engine, "store" | "run">): () => Promise<PushKey> {
  const row = { workspace: LOG_WORKSPACE, kind: "push_key", id: PUSH_KEY, read: true } as const;
  let known: PushKey | undefined;
  return async () => {
    if (known !== undefined) return known;
    const [found] = await engine.store.load([row]);
    if (found === undefined) {
      const by = { workspace: LOG_WORKSPACE, by: SYSTEM } as const;
      const kept = await engine.run({ kind: "keep_push_key", ...by, key: newPushKey() });
      if (!kept.ok) throw new Error(`cannot keep the key for web push: ${kept.failure.message}`);
      // The row of the server that was first, if two began at once.
      known = kept.entity.body;
    } else known = found.body;
    return known;
  };
}
