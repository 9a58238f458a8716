/** The native face: what SDK, console, command line and adapters use. */

import { nativeOpenApi, operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { type MountOptions, mount } from "../http/mount.ts";
import { mountAccess } from "./access.ts";
import { mountClaims } from "./claims.ts";
import type { RestDeps } from "./deps.ts";
import { mountEvents } from "./events.ts";
import { mountGroups } from "./groups.ts";
import { mountHolds } from "./holds.ts";

export function mountRest(app: Hono, deps: RestDeps, options: MountOptions): void {
  mountHolds(app, deps, options);
  mountEvents(app, deps, options);
  mountClaims(app, deps, options);
  mountGroups(app, deps, options);
  mountAccess(app, deps, options);
  const document = JSON.stringify(nativeOpenApi({ version: deps.version, servers: [deps.publicUrl] }));
  mount(app, operations.openApi, () => ({ status: 200, body: document }), options);
}

export type { RestDeps } from "./deps.ts";
