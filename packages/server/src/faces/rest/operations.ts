/** The operations of the native API that this face serves: all but those about the server itself, which `system` and `docs` serve. */

import { operations as all } from "@holdpoint/protocol";
import { CONVERSATION_LIMITS } from "../http/body.ts";
import type { Handlers } from "../http/mount.ts";
import type { RestDeps } from "./deps.ts";
import type { doors } from "./doors.ts";

const { health, ready, metrics, openApi, ...own } = all;

export const operations = own;

/** Options of operations beyond their declaration. */
export const special = { keepThread: { limits: CONVERSATION_LIMITS } } as const;

/** The handlers of a group of operations. */
export type Routes = Partial<Handlers<typeof operations, RestDeps, typeof doors>>;
