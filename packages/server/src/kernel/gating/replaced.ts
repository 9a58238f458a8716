/**
 * The open question that a new one replaces, because stricter rules ask other people about the same call. It is cancelled in the
 * commit that asks again: what people would answer in it could not be claimed any more.
 */

import type { AskRules } from "@holdpoint/protocol/gating";
import type { Context } from "../context.ts";
import type { Draft } from "../draft.ts";
import { cancelled } from "../hold/cancel.ts";
import { type Hold, isOpen, isPast } from "../hold/hold.ts";
import { settle, settleNeeds } from "../hold/settle.ts";
import type { Need, World } from "../world.ts";
import { type Asked, callIdFor } from "./ask.ts";
import type { CheckCall } from "./commands.ts";
import { isStricter } from "./earlier.ts";
import { ruleAt, rulesIn } from "./gating.ts";

export function replacedNeeds(command: CheckCall, asking: AskRules, world: World): readonly Need[] {
  const { set } = rulesIn(world);
  return asking.flatMap((index) => {
    const hold = replacedBy(command, { rule: ruleAt(set, index) }, world);
    return hold === undefined ? [] : settleNeeds(hold, world);
  });
}

export function cancelReplaced(command: CheckCall, asked: Asked, draft: Draft, { now }: Context): void {
  const hold = replacedBy(command, asked, draft);
  // Its time is over, so the timers let it expire.
  if (hold === undefined || isPast(hold, now)) return;
  const { by } = command;
  const reason = `The rules have changed, and other people must agree to this call. It is asked about again in ${command.hold.id}.`;
  settle(hold, cancelled({ by, reason }, now), draft, by);
}

function replacedBy(command: CheckCall, asked: Pick<Asked, "rule">, world: World): Hold | undefined {
  const call = world.get("call", callIdFor(command, asked));
  if (call === undefined || !isStricter(asked.rule?.decision, call.decision)) return undefined;
  const hold = world.get("hold", call.holdId);
  return hold !== undefined && isOpen(hold) ? hold : undefined;
}
