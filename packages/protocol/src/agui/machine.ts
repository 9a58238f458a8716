/** Time and chance of the machine a handler runs on; tests hand in their own. */

import { type Runtime, runtimeOver } from "../http/runtime.ts";

export type Machine = Pick<Runtime, "now" | "after" | "newKey">;

export function machineOver(given: Partial<Machine> = {}): Machine {
  return runtimeOver(given);
}
