/** Whether the rules still let those people approve a call who were asked about it: rules change, and people change arguments. */

import { evaluate } from "@holdpoint/protocol/gating";
import { type Ask, isGranting, type JsonObject } from "@holdpoint/protocol/rules";
import type { Context } from "../context.ts";
import { type Failure, failure } from "../failure.ts";
import type { Hold } from "../hold/hold.ts";
import type { World } from "../world.ts";
import { isStricter } from "./earlier.ts";
import { type Call, ruleAt, rulesIn } from "./gating.ts";

interface RuledNow {
  readonly verdict: "allow" | "ask" | "deny" | "others";
  readonly reason: string;
  readonly index: number | null;
}

/** `others`: other people must agree to the call with these arguments than those who were asked. */
export function ruledNow(
  { agent, tool, annotations, decision }: Call,
  args: JsonObject,
  world: World,
  { judge }: Context,
): RuledNow {
  const { set } = rulesIn(world);
  const call = { agent, tool, args, ...(annotations === undefined ? {} : { annotations }) };
  const { verdict, reason, index } = evaluate(set, call, judge);
  const isOthers = verdict === "ask" && isStricter(ruleAt(set, index)?.decision, decision);
  return { verdict: isOthers ? "others" : verdict, reason, index };
}

/** Why a person who was asked about one call may not approve it with these other arguments; `null` if they may. */
export function whyNotEdited(
  hold: Hold,
  action: string,
  data: JsonObject,
  world: World,
  context: Context,
): Failure | null {
  const call = hold.call === undefined ? undefined : world.get("call", hold.call.id);
  const args = data["edited_args"];
  if (call === undefined || args === undefined || !isGranting(hold.ask as Ask, action)) return null;
  const { verdict, reason } = ruledNow(call, args as JsonObject, world, context);
  if (verdict !== "deny" && verdict !== "others") return null;
  const why =
    verdict === "deny"
      ? `the rules deny the call with these arguments: ${reason}`
      : "the rules want other people to agree to these arguments; reject the call, and the agent can ask about them";
  const problems = [{ key: "/edited_args", rule: "rules", message: why }];
  return failure("invalid_answer", why, { problems });
}
