/** Health, readiness and metrics. The operations belong to the native set. */

import type { Face } from "../http/face.ts";
import { mountRoutes } from "../http/mount.ts";
import { problemDetails } from "../http/respond.ts";
import { operations } from "./operations.ts";
import { routes, type SystemDeps } from "./routes.ts";

export function systemFace(deps: SystemDeps): Face {
  return {
    dialect: problemDetails,
    paths: [],
    mount: (app, options) => mountRoutes(app, operations, routes, deps, options),
  };
}
