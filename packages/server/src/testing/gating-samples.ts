/** Rules, checks and answers that tests of the gating domain begin with. */

import type { GateRule, RuleSet } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Principal } from "../kernel/principal.ts";
import { ADMIN, AGENT } from "./core-samples.ts";
import { type BareCommand, type Circumstances, type Given, given } from "./given.ts";

export const DAY = 86_400_000;

export function rules(list: readonly GateRule[], part: Partial<RuleSet> = {}): BareCommand {
  const set: RuleSet = { rules: list, default: "ask", mode: "enforce", ...part };
  return { kind: "publish_rules", set, source: "api" };
}

let made = 0;

/** A check of `pay` by the sample agent. Equal arguments give equal ids of the call. */
export function check(
  args: JsonObject = { amount: 5 },
  part: object = {},
  by: Principal = AGENT,
): BareCommand {
  made += 1;
  const digest = `sha256:${JSON.stringify(args)}`;
  const session = (part as { session?: string }).session;
  return {
    kind: "check_call",
    check: { id: `check_${made}`, salt: "s", tool: "pay", args, ...part },
    argsDigest: digest,
    callId: `call ${by.name} ${digest}`,
    ...(session === undefined ? {} : { sessionCallId: `call ${by.name} ${digest} ${session}` }),
    hold: { id: `h${made}`, salt: "hs" },
    shard: 0,
    retainMs: 30 * DAY,
  };
}

/** Runs the check; returns it as it was recorded, the types of the facts, and the state after. */
export function checked(start: Given, command: BareCommand, more: Circumstances = {}) {
  const decided = start.when(command, { by: AGENT, ...more });
  const { facts, reply } = decided.step.decision;
  const types = facts.map(({ fact }) => fact.type);
  const end = decided.then(...types);
  return { end, types, check: reply.ok ? end.get("check", reply.id) : undefined };
}

export function answer(holdId: string, part: object = {}): BareCommand {
  return {
    kind: "answer_hold",
    holdId,
    action: "approve",
    data: {},
    door: "console",
    ...part,
  } as BareCommand;
}

export const claim = (holdId: string, digest: string): BareCommand => ({
  ...{ kind: "claim_hold", holdId, claimId: `c${holdId}`, digest, leaseMs: 1_000 },
});

export function published(
  list: readonly GateRule[],
  part: Partial<RuleSet> = {},
  start: Given = given(),
): Given {
  return start.when(rules(list, part), { by: ADMIN }).then("rules.published");
}

/** Nothing was published and nobody has asked yet. */
export const NONE = given();

/** The rows of a state as a start for `given`, so that a test can replace one of them. */
export function rowsOf({ rows }: Given) {
  return [...rows].map(([name, { body }]) => {
    const at = name.indexOf(" ");
    return { kind: name.slice(0, at), id: name.slice(at + 1), body } as never;
  });
}
