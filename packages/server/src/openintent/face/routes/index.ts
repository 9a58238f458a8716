/** The handlers of every operation of this face. */

import type { Handlers } from "../../../faces/http/mount.ts";
import type { OpenIntentDeps } from "../deps.ts";
import type { doors } from "../doors.ts";
import type { operations } from "../operations/index.ts";
import { about } from "./about.ts";
import { access } from "./access.ts";
import { checkpoints } from "./checkpoints.ts";
import { coordinators } from "./coordinators.ts";
import { graph } from "./graph.ts";
import { intents } from "./intents.ts";
import { log } from "./log.ts";
import { plans } from "./plans.ts";
import { portfolios } from "./portfolios.ts";
import { requests } from "./requests.ts";
import { streams } from "./streams.ts";
import { subscriptions } from "./subscriptions.ts";
import { suspensions } from "./suspensions.ts";
import { tasks } from "./tasks.ts";
import { work } from "./work.ts";

export const routes = {
  ...intents,
  ...graph,
  ...suspensions,
  ...log,
  ...checkpoints,
  ...work,
  ...access,
  ...requests,
  ...portfolios,
  ...coordinators,
  ...tasks,
  ...plans,
  ...subscriptions,
  ...streams,
  ...about,
} satisfies Handlers<typeof operations, OpenIntentDeps, typeof doors>;
