/** The hold that asks people about one call. */

import type { GateRule } from "@holdpoint/protocol/gating";
import { type Ask, type JsonObject, parseDuration } from "@holdpoint/protocol/rules";
import type { HoldIn, Moment } from "../hold/commands.ts";
import { readAfter } from "../hold/read-after.ts";
import type { CheckCall } from "./commands.ts";
import type { Call, Check } from "./gating.ts";

/** The rule that asks; `rule` is absent for the default of the set. */
export interface Asked {
  readonly index: number | null;
  readonly rule: GateRule | undefined;
  readonly ruleDigest: string;
  readonly version: number;
}

/** How a check ends, beyond what the rules said. */
export type Answered = Pick<Check, "verdict"> &
  Partial<Pick<Check, "reason" | "holdId" | "grantId">> & { readonly call?: Call };

export function callIdFor({ callId, sessionCallId }: CheckCall, { rule }: Pick<Asked, "rule">): string {
  return rule?.per === "session" ? (sessionCallId ?? callId) : callId;
}

/** The domain name under which holds attach to calls. */
export const CALL = "call";

export function holdOf(command: CheckCall, { rule }: Pick<Asked, "index" | "rule">): HoldIn {
  const { check, hold } = command;
  const { threadId } = check;
  return {
    ...hold,
    ask: askOf(command, rule),
    ...(rule?.decision === undefined ? {} : { decision: rule.decision }),
    ...expiresOf(rule),
    rungs: (rule?.ladder ?? []).map(rungOf),
    // Who asks must not answer (G7): people get their links through channels and the console.
    links: "server",
    newLinks: [],
    attachedTo: { domain: CALL, id: callIdFor(command, { rule }) },
    ...(rule?.grantable === false ? { grantable: false as const } : {}),
    ...(threadId === undefined ? {} : { threadId }),
  };
}

function askOf({ by, check }: CheckCall, rule: GateRule | undefined): Ask {
  const { tool, args, argsSchema } = check;
  return {
    type: "approval",
    prompt: `Allow ${by.name} to call ${tool}?`,
    context: { tool, arguments: args },
    ...(argsSchema === undefined ? {} : { responseSchema: argsSchema }),
    ...(rule?.uses === undefined ? {} : { uses: rule.uses }),
  };
}

/** The arguments that will run: those that a person approved instead, or the original ones. */
export function argsOf({ context }: Ask, data: JsonObject = {}): JsonObject {
  return (data["edited_args"] ?? context?.["arguments"]) as JsonObject;
}

function expiresOf(rule: GateRule | undefined): Pick<HoldIn, "expires"> {
  const afterMs = rule?.timeout === undefined ? null : parseDuration(rule.timeout);
  return afterMs === null ? {} : { expires: { afterMs } };
}

/** The wire schema has checked it: `after` or `at`, and a channel or whom to tell by the channel that they prefer. */
function rungOf({ after, at, channel, to }: JsonObject): HoldIn["rungs"][number] {
  return {
    kind: "attempt",
    when: typeof at === "string" ? { at: Date.parse(at) } : (readAfter(after as string) as Moment),
    ...(typeof channel === "string" ? { channel } : {}),
    ...(typeof to === "string" ? { to } : {}),
  };
}
