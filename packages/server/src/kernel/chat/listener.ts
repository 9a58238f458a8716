/** The lease of a bot's inbound connection: of all servers that share a database, one listens. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { SYSTEM } from "../principal.ts";
import type { Listener } from "./chat.ts";
import type { LeaveListener, TakeListener } from "./commands.ts";

/** Takes a free or ended lease, or renews the caller's own. A new holder gets a higher fence than every one before. */
export function takeListener({ name, holder, leaseMs }: TakeListener, draft: Draft, { now }: Context): Reply {
  const before = draft.get("listener", name);
  const isOwn = before?.holder === holder;
  if (before !== undefined && !isOwn && before.until > now)
    return refuse(failure("claim_taken", "another server listens for this bot"));
  const fence = isOwn ? before.fence : (before?.fence ?? 0) + 1;
  return set(draft, name, { holder, fence, until: now + leaseMs }, now);
}

/** A server that stops lets the next one begin at once. The row stays, so that the fence goes on. */
export function leaveListener({ name, holder }: LeaveListener, draft: Draft, { now }: Context): Reply {
  const before = draft.get("listener", name);
  if (before?.holder !== holder) return { ok: true, id: name, fresh: false };
  return set(draft, name, { ...before, until: now }, now);
}

function set(draft: Draft, name: string, listener: Listener, at: number): Reply {
  const fact = { type: "chat.listener_set", listener } as const;
  draft.state({ kind: "listener", id: name, fact, at, actor: SYSTEM.name });
  return accept(name);
}
