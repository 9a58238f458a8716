/** The key that signs the states which MCP clients carry from one call to the next, and which of them were used. */

import type { PushKey } from "../kernel/push/push.ts";
import type { Shared } from "../store/port.ts";
import type { Clock } from "../system/clock.ts";
import { sha256 } from "../system/digest.ts";
import type { Ids } from "../system/ids.ts";

export const STATE_SECONDS = 600;
/** A state that was used is forgotten only after it has expired. */
const KEPT_MS = 2 * STATE_SECONDS * 1_000;
/** One key may use this many states in that time; more are refused, because forgetting used ones would allow replays. Other keys are not affected. */
const USED_MAX = 5_000;

export interface States {
  key(): Promise<string>;
  nonce(): string;
  /** `owner`: the key that uses it. Each key's uses are counted separately. */
  isFirstUse(nonce: string, owner: string): Promise<boolean>;
}

/** For one process: states made before it started are refused. */
export function ownStates(ids: Pick<Ids, "token">, clock: Pick<Clock, "now">): States {
  const key = ids.token();
  const all = new Map<string, Map<string, number>>();
  return {
    key: async () => key,
    nonce: () => ids.token(),
    async isFirstUse(nonce, owner) {
      const now = clock.now();
      const used = all.get(owner) ?? new Map<string, number>();
      for (const [old, until] of used) {
        if (until > now) break;
        used.delete(old);
      }
      if (used.has(nonce) || used.size >= USED_MAX) return false;
      all.set(owner, used.set(nonce, now + KEPT_MS));
      return true;
    },
  };
}

/** For servers that share a database: any of them may get the client's next call. */
export function sharedStates(
  ids: Pick<Ids, "token">,
  clock: Pick<Clock, "now">,
  shared: Pick<Shared, "spend">,
  pushKey: () => Promise<PushKey>,
): States {
  return {
    // Derived from a secret that the servers share already, for this purpose only.
    key: async () => sha256(`mcp request state\n${(await pushKey()).privateKey}`),
    nonce: () => ids.token(),
    async isFirstUse(nonce, owner) {
      const name = `mcp state ${sha256(owner)} ${nonce}`;
      const [total] = await shared.spend([{ name, count: 1, windowMs: KEPT_MS }], clock.now());
      return total?.spent === 1;
    },
  };
}
