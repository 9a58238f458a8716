/** Holds attached to calls: those that a check placed. */

import { type Ask, isGranting } from "@holdpoint/protocol/rules";
import type { AttachmentRules } from "../attachment.ts";
import type { Context } from "../context.ts";
import type { Draft } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Hold, Outcome } from "../hold/hold.ts";
import { actorText } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { argsOf } from "./ask.ts";
import { isBySelf } from "./earlier.ts";
import type { AnswerKind } from "./facts.ts";
import { CURRENT, digestOf, rulesIn, toolAnswersId, versionId } from "./gating.ts";
import { grantIdOf, grantOf, isValid } from "./granted.ts";
import { mint, mintNeeds } from "./grants.ts";
import { ruledNow } from "./ruled-now.ts";

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
    return [...needs, answers, ...mintNeeds(call), ...rulesNeeds(world)];
  },
  claimNeeds(_id, hold, world) {
    const grantId = grantIdOf(hold);
    // Locked, so that no claim follows the revocation of its grant in the log.
    const grant = grantId === undefined ? [] : [{ kind: "grant", id: grantId } as const];
    return [...grant, ...rulesNeeds(world)];
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

/** The rules that count now: people may approve with other arguments than those that were asked about. */
function rulesNeeds(world: World): readonly Need[] {
  const version = world.get("rules", CURRENT)?.version;
  const set =
    version === undefined ? [] : [{ kind: "rules_version", id: versionId(version), read: true } as const];
  return [{ kind: "rules", id: CURRENT, read: true }, ...set];
}

function answerKind({ ask }: Hold, outcome: Outcome): AnswerKind | undefined {
  if (outcome.kind !== "decided") return "undecided";
  if (outcome.by.kind === "grant") return undefined;
  if (ask === null || !isGranting(ask, outcome.action)) return "rejected";
  return outcome.data["edited_args"] === undefined ? "approved" : "edited";
}

/** Rules that were published after the approval count at the claim (G10), and so does the end of a grant. */
function whyNotClaim(id: string, hold: Hold, world: World, context: Context): Failure | null {
  if (isBySelf(hold))
    return failure("not_claimable", "it was approved through a link that was given to the asking agent");
  const call = world.get("call", id);
  // Only stricter rules, or the end of a grant, ask again about a call that is approved and was not executed.
  if (call === undefined || call.holdId !== hold.id)
    return failure(
      "not_claimable",
      "a newer question about this call replaced this one; check the call again",
    );
  const { version, set } = rulesIn(world);
  const { data } = hold.outcome as Extract<Outcome, { readonly kind: "decided" }>;
  // Nothing has changed since the rules asked: neither they nor the arguments.
  const isSame = version === call.version && data["edited_args"] === undefined;
  const now = isSame ? undefined : ruledNow(call, argsOf(hold.ask as Ask, data), world, context);
  if (now?.verdict === "deny") return failure("not_claimable", `the rules deny this call now: ${now.reason}`);
  if (now?.verdict === "others")
    return failure("not_claimable", "other people must agree to this call now; check the call again");
  const grant = grantOf(hold, world);
  const asking = now?.verdict === "ask" ? digestOf(set, now.index, context) : call.ruleDigest;
  if (grant === undefined || isValid(grant, asking, context.now)) return null;
  return failure(
    "not_claimable",
    "the grant that allowed this call has ended or is suspended; check the call again",
  );
}
