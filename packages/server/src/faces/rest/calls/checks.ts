/** Puts tool calls before the rules, and records those that ran under a standing permission. */

import type { CheckIn, CheckOut, StandingCallsIn } from "@holdpoint/protocol";
import { reasonFor } from "../../../kernel/gating/earlier.ts";
import { presentHold } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import { checkCommand, presentCheck, standingCommand } from "../gating-map.ts";
import type { CallDeps, Caller } from "./caller.ts";

export async function checkCall(caller: Caller, body: CheckIn, deps: CallDeps): Promise<CheckOut> {
  const { workspace, by } = caller;
  const { body: check } = accepted(await deps.engine.run(checkCommand(body, caller, deps)), by);
  const hold = check.holdId === undefined ? undefined : await deps.holds.get(workspace, check.holdId);
  if (hold === undefined) return presentCheck(check);
  return { ...presentCheck(check), reason: reasonFor(check, hold.body), hold: presentHold(hold, by) };
}

export async function recordStandingCalls(
  caller: Caller,
  body: StandingCallsIn,
  deps: CallDeps,
): Promise<CheckOut> {
  const result = await deps.engine.run(standingCommand(body, caller, deps));
  return presentCheck(accepted(result, caller.by).body);
}
