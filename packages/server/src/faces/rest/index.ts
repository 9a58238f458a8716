/** The native face: what SDK, console, command line and adapters use. */

import { nativeSet } from "@holdpoint/protocol";
import type { Face } from "../http/face.ts";
import { mountRoutes } from "../http/mount.ts";
import { problemDetails } from "../http/respond.ts";
import type { RestDeps } from "./deps.ts";
import { doors } from "./doors.ts";
import { operations, special } from "./operations.ts";
import { routes } from "./routes/index.ts";

export function nativeFace(deps: RestDeps): Face {
  return {
    set: nativeSet,
    dialect: problemDetails,
    paths: ["/v1"],
    mount(app, options) {
      mountRoutes(app, operations, routes, deps, { ...options, doors, special });
    },
  };
}

export type { RestDeps } from "./deps.ts";
export { type InProcess, inProcessClient } from "./in-process/client.ts";
