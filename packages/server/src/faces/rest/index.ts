/** The native face: what SDK, console, command line and adapters use. */

import { nativeSet } from "@holdpoint/protocol";
import { CONVERSATION_LIMITS } from "../http/body.ts";
import type { Face } from "../http/face.ts";
import { mountRoutes } from "../http/mount.ts";
import { problemDetails } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { doors } from "./doors.ts";
import { operations } from "./operations.ts";
import { routes } from "./routes/index.ts";

export function nativeFace(deps: RestDeps): Face {
  return {
    set: nativeSet,
    dialect: problemDetails,
    paths: ["/v1"],
    mount(app, options) {
      const special = { keepThread: { limits: CONVERSATION_LIMITS } };
      mountRoutes(app, operations, routes, deps, { ...options, doors, special });
    },
  };
}

export type { RestDeps } from "./deps.ts";
