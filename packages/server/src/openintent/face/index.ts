/** OpenIntent's face: intents, and the holds that suspend them. */

import type { Face } from "../../faces/http/face.ts";
import { mountAbout } from "./about.ts";
import { mountAccess } from "./access.ts";
import { mountCheckpoints } from "./checkpoints.ts";
import { mountCoordinators } from "./coordinators.ts";
import type { OpenIntentDeps } from "./deps.ts";
import { openIntentDialect } from "./errors.ts";
import { mountGraph } from "./graph.ts";
import { mountIntents } from "./intents.ts";
import { mountLog } from "./log.ts";
import { openIntentSet } from "./operations/index.ts";
import { mountPlans } from "./plans.ts";
import { mountPortfolios } from "./portfolios.ts";
import { mountStreams } from "./streams.ts";
import { mountSubscriptions } from "./subscriptions.ts";
import { mountSuspensions } from "./suspensions.ts";
import { mountTasks } from "./tasks.ts";
import { mountWork } from "./work.ts";

export function openIntentFace(deps: OpenIntentDeps): Face {
  return {
    set: openIntentSet,
    dialect: openIntentDialect,
    paths: ["/api/v1", "/.well-known/openintent.json"],
    mount(app, options) {
      mountIntents(app, deps, options);
      mountGraph(app, deps, options);
      mountSuspensions(app, deps, options);
      mountLog(app, deps, options);
      mountCheckpoints(app, deps, options);
      mountWork(app, deps, options);
      mountAccess(app, deps, options);
      mountPortfolios(app, deps, options);
      mountCoordinators(app, deps, options);
      mountTasks(app, deps, options);
      mountPlans(app, deps, options);
      mountSubscriptions(app, deps, options);
      mountStreams(app, deps, options);
      mountAbout(app, deps, options);
    },
  };
}

export type { OpenIntentDeps } from "./deps.ts";
export { isSubscriptionRow, subscriptionMessage } from "./outgoing.ts";
export { canonicalPath } from "./paths.ts";
