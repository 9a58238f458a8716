/** Holds attached to calls: those that a check placed. */

import { evaluate } from "@holdpoint/protocol/gating";
import { type Ask, isGranting } from "@holdpoint/protocol/rules";
import type { AttachmentRules } from "../attachment.ts";
import type { Context } from "../context.ts";
import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Hold, Outcome } from "../hold/hold.ts";
import { actorText } from "../principal.ts";
import type { World } from "../world.ts";
import { argsOf } from "./ask.ts";
import { isBySelf, isStricter } from "./earlier.ts";
import type { AnswerKind } from "./facts.ts";
import { CURRENT, ruleAt, rulesIn, toolAnswersId, versionId } from "./gating.ts";
import { mint, mintNeeds } from "./grants.ts";

export const CALL_ATTACHMENT: AttachmentRules = {
  idOf: ({ call }) => call?.id,
  fieldsOf: (id) => ({ call: { id } }),
  // The id is a digest of the arguments without a salt, so a reader of the log could guess short arguments.
  isNamed: false,
  deadlineReason: "",
  placeNeeds: () => [],
  endNeeds(id, { createdBy }, world) {
    const call = world.get("call", id);
    const needs = [
      { kind: "call", id },
      { kind: "agent_checks", id: createdBy },
    ];
    if (call === undefined) return needs;
    const answers = { kind: "tool_answers", id: toolAnswersId(call.agent, call.tool) };
    return [...needs, answers, ...mintNeeds(call)];
  },
  claimNeeds(_id, _hold, world) {
    const current = world.get("rules", CURRENT);
    return [
      { kind: "rules", id: CURRENT, read: true },
      ...(current === undefined
        ? []
        : [{ kind: "rules_version", id: versionId(current.version), read: true } as const]),
    ];
  },
  deadlineOf: () => undefined,
  whyNotAct: () => null,
  whyNotClaim,
  placed(id, { createdBy: agent }, by, draft: Draft, now) {
    const fact = { type: "call.hold_opened", agent } as const;
    draft.state({ kind: "call", id, fact, at: now, actor: actorText(by) });
    return null;
  },
  notified: () => undefined,
  ended(id, hold, outcome, draft: Draft, by) {
    const { createdBy: agent } = hold;
    const tool = String((hold.ask as Ask).context?.["tool"]);
    const answered = answerKind(hold, outcome);
    const fact = {
      type: "call.hold_ended",
      agent,
      tool,
      ...(answered === undefined ? {} : { answered }),
    } as const;
    draft.state({ kind: "call", id, fact, at: outcome.at, actor: actorText(by) });
    const call = draft.get("call", id);
    if (call !== undefined) mint(call, hold, outcome, draft, by);
  },
  erased: () => undefined,
};

function answerKind({ ask }: Hold, outcome: Outcome): AnswerKind | undefined {
  if (outcome.kind !== "decided") return "undecided";
  if (outcome.by.kind === "grant") return undefined;
  if (ask === null || !isGranting(ask, outcome.action)) return "rejected";
  return outcome.data["edited_args"] === undefined ? "approved" : "edited";
}

/** Rules that were published after the approval count at the claim (G10). */
function whyNotClaim(id: string, hold: Hold, world: World, { judge }: Context): Failure | null {
  if (isBySelf(hold))
    return failure("not_claimable", "it was approved through a link that was given to the asking agent");
  const call = world.get("call", id);
  const { version, set } = rulesIn(world);
  if (call === undefined || call.version === version) return null;
  const { agent, tool, annotations } = call;
  const { data } = hold.outcome as Extract<Outcome, { readonly kind: "decided" }>;
  const asked = {
    agent,
    tool,
    args: argsOf(hold.ask as Ask, data),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const { verdict, index, reason } = evaluate(set, asked, judge);
  if (verdict === "deny")
    return failure("not_claimable", `the rules have changed and deny this call now: ${reason}`);
  if (verdict === "ask" && isStricter(ruleAt(set, index)?.decision, call.decision))
    return failure(
      "not_claimable",
      "the rules have changed and other people must agree now; check the call again",
    );
  return null;
}
