/**
 * Mounts operations at every address they have. Behind a case's own doors whoever is let in waits for the handler under the
 * principal that the request goes on with.
 */

import type { Operation } from "@holdpoint/protocol";
import { everyAddressOf } from "@holdpoint/protocol/hitl";
import type { Context, Hono } from "hono";
import type { Principal } from "../../kernel/principal.ts";
import { type Call, type Handler, type MountExtras, type MountOptions, mount } from "../http/mount.ts";
import type { HttpReply } from "../http/respond.ts";

export function mountEverywhere<Op extends Operation>(
  app: Hono,
  operation: Op,
  handler: Handler<Op>,
  options: MountOptions,
): void {
  for (const address of everyAddressOf(operation)) mount(app, address, handler, options);
}

/** Whoever has been let in, with what is known of them. */
interface Comer {
  readonly workspace: string;
  readonly by: Principal;
}

export interface DoorOptions<Who extends Comer> extends Pick<MountExtras, "readBody"> {
  readonly mounting: MountOptions;
  /** Who comes, or the refusal thrown. */
  readonly letIn: (c: Context, ip: string) => Promise<Who>;
}

export function mountDoor<Op extends Operation, Who extends Comer>(
  app: Hono,
  operation: Op,
  { mounting, letIn, ...extras }: DoorOptions<Who>,
  handler: (who: Who, call: Call<Op>) => Promise<HttpReply>,
): void {
  const waiting = new WeakMap<Principal, Who>();
  const authenticate = async (c: Context, ip: string) => {
    const who = await letIn(c, ip);
    waiting.set(who.by, who);
    return { workspace: who.workspace, principal: who.by };
  };
  const handle: Handler<Op> = (call) => {
    const who = waiting.get(call.by);
    if (who === undefined) throw new Error("nobody comes here without having been let in");
    return handler(who, call);
  };
  for (const address of everyAddressOf(operation))
    mount(app, address, handle, mounting, { authenticate, ...extras });
}
