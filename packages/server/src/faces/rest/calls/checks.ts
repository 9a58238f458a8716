/** Puts one tool call before the rules. */

import type { CheckIn, CheckOut } from "@holdpoint/protocol";
import { presentHold } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import { checkCommand, presentCheck } from "../gating-map.ts";
import type { CallDeps, Caller } from "./caller.ts";

export async function checkCall(caller: Caller, body: CheckIn, deps: CallDeps): Promise<CheckOut> {
  const { workspace, by } = caller;
  const { body: check } = accepted(await deps.engine.run(checkCommand(body, caller, deps)), by);
  const hold = check.holdId === undefined ? undefined : await deps.holds.get(workspace, check.holdId);
  return hold === undefined ? presentCheck(check) : { ...presentCheck(check), hold: presentHold(hold, by) };
}
