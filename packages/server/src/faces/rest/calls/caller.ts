/**
 * The operations of the native API without HTTP: each takes a caller and checked wire objects, runs the command and returns wire
 * objects. The handlers in `routes/` put HTTP around them; `in-process/` calls them directly.
 */

import type { Principal } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import type { RestDeps } from "../deps.ts";

export interface Caller {
  readonly workspace: string;
  readonly by: Principal;
}

export type CallDeps = Pick<
  RestDeps,
  "engine" | "passkeys" | "feed" | "holds" | "files" | "ids" | "publicUrl" | "whyNotTarget" | "shard"
>;

/** The door of an answer: apps and the command line name theirs, every other caller used the API. */
export function doorOf({ by }: Caller, named: string | undefined): "console" | "rest" | "cli" | "agui" {
  if (by.via === "session") return "console";
  return named === "cli" || named === "agui" ? named : "rest";
}

export function refuseTarget(url: string | undefined, deps: Pick<CallDeps, "whyNotTarget">): void {
  const why = url === undefined ? null : deps.whyNotTarget(url);
  if (why !== null) throw fail("callback_refused", why);
}
