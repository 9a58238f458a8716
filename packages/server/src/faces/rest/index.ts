/** The native face: what SDK, console, command line and adapters use. */

import { nativeSet } from "@holdpoint/protocol";
import type { Face } from "../http/face.ts";
import { problemDetails } from "../http/respond.ts";
import { mountAccess } from "./access.ts";
import { mountClaims } from "./claims.ts";
import { mountDeliveries } from "./deliveries.ts";
import type { RestDeps } from "./deps.ts";
import { mountEvents } from "./events.ts";
import { mountFiles } from "./files.ts";
import { mountGroups } from "./groups.ts";
import { mountHolds } from "./holds.ts";
import { mountLog } from "./log.ts";
import { mountReleases } from "./releases.ts";
import { mountSkips } from "./skips.ts";
import { mountThreads } from "./threads.ts";

export function nativeFace(deps: RestDeps): Face {
  return {
    set: nativeSet,
    dialect: problemDetails,
    paths: ["/v1"],
    mount(app, options) {
      mountHolds(app, deps, options);
      mountEvents(app, deps, options);
      mountLog(app, deps, options);
      mountClaims(app, deps, options);
      mountGroups(app, deps, options);
      mountFiles(app, deps, options);
      mountReleases(app, deps, options);
      mountSkips(app, deps, options);
      mountThreads(app, deps, options);
      mountAccess(app, deps, options);
      mountDeliveries(app, deps, options);
    },
  };
}

export type { RestDeps } from "./deps.ts";
