/** OpenIntent's face: intents, and the holds that suspend them. */

import type { Face } from "../../faces/http/face.ts";
import { mountRoutes } from "../../faces/http/mount.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { doors } from "./doors.ts";
import { openIntentDialect } from "./errors.ts";
import { openIntentSet, operations } from "./operations/index.ts";
import { routes } from "./routes/index.ts";
import { whyUnserved } from "./unserved.ts";

export function openIntentFace(deps: OpenIntentDeps): Face {
  return {
    set: openIntentSet,
    dialect: openIntentDialect,
    paths: ["/api/v1", "/.well-known/openintent.json"],
    whyUnserved,
    mount: (app, options) => mountRoutes(app, operations, routes, deps, { ...options, doors }),
  };
}

export type { OpenIntentDeps } from "./deps.ts";
export { isSubscriptionRow, subscriptionMessage } from "./outgoing.ts";
export { canonicalPath } from "./paths.ts";
