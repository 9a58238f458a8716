/** The handlers of every operation of this face. */

import type { Handlers } from "../../http/mount.ts";
import type { HitlDeps } from "../deps.ts";
import type { doors } from "../doors.ts";
import type { operations } from "../operations.ts";
import { answer } from "./answer.ts";
import { cancel } from "./cancel.ts";
import { create } from "./create.ts";
import { discovery } from "./discovery.ts";
import { poll } from "./poll.ts";
import { prefill } from "./prefill.ts";
import { session } from "./session.ts";
import { stream } from "./stream.ts";
import { surfaces } from "./surfaces.ts";

export const routes = {
  ...create,
  ...poll,
  ...stream,
  ...answer,
  ...cancel,
  ...session,
  ...surfaces,
  ...prefill,
  ...discovery,
} satisfies Handlers<typeof operations, HitlDeps, typeof doors>;
