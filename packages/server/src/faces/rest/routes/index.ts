/** The handlers of every operation of this face. */

import type { Handlers } from "../../http/mount.ts";
import type { RestDeps } from "../deps.ts";
import type { doors } from "../doors.ts";
import type { operations } from "../operations.ts";
import { access } from "./access.ts";
import { browserTokens } from "./browser-tokens.ts";
import { channels } from "./channels.ts";
import { claims } from "./claims.ts";
import { deliveries } from "./deliveries.ts";
import { desk } from "./desk.ts";
import { events } from "./events.ts";
import { files } from "./files.ts";
import { gating } from "./gating.ts";
import { groups } from "./groups.ts";
import { holds } from "./holds.ts";
import { log } from "./log.ts";
import { oncall } from "./oncall.ts";
import { passkeys } from "./passkeys.ts";
import { people } from "./people.ts";
import { push } from "./push.ts";
import { releases } from "./releases.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { skips } from "./skips.ts";
import { threads } from "./threads.ts";

export const routes = {
  ...holds,
  ...desk,
  ...events,
  ...log,
  ...claims,
  ...groups,
  ...files,
  ...releases,
  ...skips,
  ...gating,
  ...threads,
  ...access,
  ...people,
  ...sessions,
  ...browserTokens,
  ...passkeys,
  ...push,
  ...channels,
  ...oncall,
  ...settings,
  ...deliveries,
} satisfies Handlers<typeof operations, RestDeps, typeof doors>;
