/** The operations of the HITL Protocol, as this server reads them. */

import { OpenObject } from "@holdpoint/protocol";
import { hitlOperations } from "@holdpoint/protocol/hitl";
import * as z from "zod";
import type { Handlers } from "../http/mount.ts";
import type { HitlDeps } from "./deps.ts";
import type { doors } from "./doors.ts";

/** The form of an answer depends on who sends it, so the handler checks it. */
export const operations = {
  ...hitlOperations,
  respondCase: {
    ...hitlOperations.respondCase,
    body: z.union([z.instanceof(URLSearchParams), OpenObject]),
  },
  submitCase: { ...hitlOperations.submitCase, body: OpenObject },
};

/** The handlers of a group of operations. */
export type Routes = Partial<Handlers<typeof operations, HitlDeps, typeof doors>>;
