/** The proxy's own client: every group it places has a release, and every hold says where else it can be seen. */

import type { FileClient, Group, Hold, HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import { isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { ProxySettings } from "./settings.ts";

export type ProxyClient = HoldClient & ThreadClient & FileClient;

export interface ClientOptions {
  readonly settings: Pick<ProxySettings, "links">;
  readonly publicUrl: string;
  open(groupId: string, threadId: string): Promise<void>;
  /** The thread is written, and waits for this group now; null: for none. */
  onKept(threadId: string, waitsFor: string | null): Promise<void>;
}

export function clientFor(
  client: ProxyClient,
  { settings, publicUrl, open, onKept }: ClientOptions,
): ProxyClient {
  const shown = (group: Group): Group => ({
    ...group,
    holds: group.holds.map((hold) => withHitl(hold, publicUrl)),
  });
  const own: Partial<ProxyClient> = {
    async placeGroup(group, options) {
      const { links } = settings;
      const holds = group.holds.map((hold) => ({ ...hold, links }));
      const placed = await client.placeGroup({ ...group, holds }, options);
      await open(placed.id, group.threadId ?? "");
      return shown(placed);
    },
    async keepThread(threadId, thread, options) {
      const kept = await client.keepThread(threadId, thread, options);
      await onKept(threadId, thread.waitsFor ?? null);
      return kept;
    },
    getGroup: async (groupId, options) => shown(await client.getGroup(groupId, options)),
  };
  return new Proxy(client, {
    get(target, name: string) {
      if (Object.hasOwn(own, name)) return own[name as keyof ProxyClient];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Where AG-UI's part of a hold is kept, what goes into `metadata` of the interrupt. */
const OURS = "ag_ui";

function withHitl(hold: Hold, publicUrl: string): Hold {
  const ours = member(hold.metadata ?? {}, OURS);
  if (!isObject(ours)) return hold;
  const { type, caseId, context, reviewUrl } = hold;
  const hitl: JsonObject = {
    case_id: caseId,
    type,
    poll_url: `${publicUrl}/reviews/${caseId}/status`,
    default_action: "skip",
    ...(context === undefined ? {} : { context }),
    ...(reviewUrl === undefined ? {} : { review_url: reviewUrl }),
  };
  const before = member(ours, "metadata");
  const metadata = { ...(isObject(before) ? before : {}), hitl };
  return { ...hold, metadata: { ...hold.metadata, [OURS]: { ...ours, metadata } } };
}
