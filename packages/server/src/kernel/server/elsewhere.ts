/** Who runs the server: admins of its own workspace. */

import { type Failure, failure } from "../failure.ts";
import { SERVER_WORKSPACE } from "./server.ts";

/** Why admins of this workspace may not change the server; `null` if they may. */
export function whyElsewhere(workspace: string): Failure | null {
  if (workspace === SERVER_WORKSPACE) return null;
  return failure(
    "not_allowed",
    `the settings of the server are changed by admins of the workspace ${SERVER_WORKSPACE}`,
  );
}
