/**
 * Mounts the operations behind a case's own doors. Whoever is let in waits here for the handler, under the principal that the
 * request goes on with.
 */

import type { Operation } from "@holdpoint/protocol";
import { everyAddressOf } from "@holdpoint/protocol/hitl";
import type { Hono } from "hono";
import type { Principal } from "../../core/principal.ts";
import { type Call, type Handler, type MountExtras, type MountOptions, mount } from "../http/mount.ts";
import type { HttpReply } from "../http/respond.ts";
import type { HitlDeps } from "./deps.ts";
import { type Door, type Entrant, enter } from "./enter.ts";

export function mountEverywhere<Op extends Operation>(
  app: Hono,
  operation: Op,
  handler: Handler<Op>,
  options: MountOptions,
): void {
  for (const address of everyAddressOf(operation)) mount(app, address, handler, options);
}

export function mountDoor<Op extends Operation>(
  app: Hono,
  operation: Op,
  door: Door,
  handler: (entrant: Entrant, call: Call<Op>) => Promise<HttpReply>,
  deps: HitlDeps,
  options: MountOptions,
  extras: Pick<MountExtras, "readBody"> = {},
): void {
  const entrants = new WeakMap<Principal, Entrant>();
  const authenticate = async (c: Parameters<typeof enter>[0], ip: string) => {
    const entrant = await enter(c, ip, door, deps);
    entrants.set(entrant.by, entrant);
    return { workspace: entrant.workspace, principal: entrant.by };
  };
  const handle: Handler<Op> = (call) => {
    const entrant = entrants.get(call.by);
    if (entrant === undefined) throw new Error("nobody comes here without a token");
    return handler(entrant, call);
  };
  for (const address of everyAddressOf(operation))
    mount(app, address, handle, options, { authenticate, ...extras });
}
