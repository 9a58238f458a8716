/** The proxy's own client. */

import type { FileClient, HoldClient, ThreadClient } from "@holdpoint/protocol/client";
import type { ProxySettings } from "./settings.ts";

export type ProxyClient = HoldClient & ThreadClient & FileClient;

export interface ClientOptions {
  readonly settings: Pick<ProxySettings, "links">;
  /** Called when the thread is stored, with the group that it waits for now, or null. */
  onKept(threadId: string, waitsFor: string | null): Promise<void>;
}

export function clientFor(client: ProxyClient, { settings, onKept }: ClientOptions): ProxyClient {
  const own: Partial<ProxyClient> = {
    async placeGroup(group, options) {
      const { links } = settings;
      const holds = group.holds.map((hold) => ({ ...hold, links }));
      return client.placeGroup({ ...group, holds }, options);
    },
    async keepThread(threadId, thread, options) {
      const kept = await client.keepThread(threadId, thread, options);
      await onKept(threadId, thread.waitsFor ?? null);
      return kept;
    },
  };
  return new Proxy(client, {
    get(target, name: string) {
      if (Object.hasOwn(own, name)) return own[name as keyof ProxyClient];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
