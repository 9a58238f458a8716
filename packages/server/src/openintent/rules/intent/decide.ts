/** The table of commands on intents. */

import type { Context } from "../../../kernel/context.ts";
import type { CommandSpec, CommandTable } from "../../../kernel/domain.ts";
import { AGAIN, accept, type Reply, refuse } from "../../../kernel/draft.ts";
import { settleNeeds } from "../../../kernel/hold/settle.ts";
import { voteNeeds } from "../../../kernel/hold/voter.ts";
import type { KernelFact } from "../../../kernel/kernel.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { OpenIntentFact } from "../facts.ts";
import { failure } from "../failure.ts";
import { changeDependency, dependencyNeeds } from "../graph/dependencies.ts";
import { portfolioReadNeeds } from "../graph/dependents.ts";
import { behindNeeds } from "../graph/follow.ts";
import { completeNeeds, moveNeeds, suspendNeeds } from "../graph/needs.ts";
import { answerIntentRequest, answerNeeds, askAboutIntent, askNeeds, SETTINGS } from "../request/decide.ts";
import { withdrawRequestsNeeds } from "../request/withdraw.ts";
import { inputNeeds } from "../workflow/inputs.ts";
import type { Draft, Need, OpenIntentBodies, World } from "../world.ts";
import { changeAcl } from "./acl.ts";
import { suspendIntent } from "./ask.ts";
import { cancelSuspension } from "./cancel.ts";
import type { IntentCommand, KeepIntentCheckpoint, OnOneIntent, SetStatus, TickIntent } from "./commands.ts";
import { createIntent, createNeeds } from "./create.ts";
import { type Intent, SUSPENDED, suspensionLogId } from "./intent.ts";
import { begin, changeIntent } from "./intent-log.ts";
import { acquireLease, releaseLease, renewLease } from "./leases.ts";
import { logEvent, logEventNeeds } from "./log-event.ts";
import { respondToSuspension } from "./respond.ts";
import { recordFailure, setRetryPolicy } from "./retry.ts";
import { setStatus } from "./set-status.ts";
import { patchState } from "./state.ts";
import { subscribe, subscribeNeeds, unsubscribe, unsubscribeNeeds } from "./subscriptions.ts";
import { recordIdsIn } from "./suspension-patch.ts";
import { assignAgent, recordDecision, setGovernance } from "./team.ts";
import { stateIntentDue } from "./tick.ts";
import { READ_WATCHERS } from "./watchers.ts";

type Spec<C> = CommandSpec<C, OpenIntentBodies, KernelFact | OpenIntentFact, "intent">;
type Decide<C> = (command: C, intent: Intent, draft: Draft, context: Context) => Reply;
type MoreNeeds<C> = (command: C, world: World) => readonly Need[];

/**
 * A command on one intent. Timers that are due are applied first and are kept even if the command is refused. The command is
 * then decided on the resulting intent.
 */
function onIntent<C extends OnOneIntent>(decide: Decide<C>, moreNeeds: MoreNeeds<C> = () => []): Spec<C> {
  const needs = (command: C, world: World) => [
    ...oneIntentNeeds(command.intentId, world),
    ...moreNeeds(command, world),
  ];
  return {
    about: "intent",
    needs,
    decide(command, draft, context) {
      if (bringForward(command.intentId, draft, context.now) && !draft.hasLoaded(needs(command, draft)))
        return AGAIN;
      const intent = draft.get("intent", command.intentId);
      if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
      return decide(command, intent, draft, context);
    },
  };
}

/** Applying one timer can make another one due, so the check is repeated a few times. */
const ROUNDS_MAX = 4;

/** Applies the timers that are due. Returns whether there were any. */
function bringForward(intentId: string, draft: Draft, now: number): boolean {
  let isChanged = false;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const intent = draft.get("intent", intentId);
    if (intent !== undefined) stateIntentDue(intent, draft, now);
    if (draft.get("intent", intentId) === intent) break;
    draft.keepSoFar();
    isChanged = true;
  }
  return isChanged;
}

const tickIntent: Spec<TickIntent> = {
  about: "intent",
  needs: ({ intentId }, world) => oneIntentNeeds(intentId, world),
  decide({ intentId }, draft, { now }) {
    const intent = draft.get("intent", intentId);
    if (intent === undefined) return refuse(failure("not_found", "There is no intent with this id."));
    stateIntentDue(intent, draft, now);
    return accept(intentId);
  },
};

/** The intent, its newest hold, and everything that the end of that hold would change. */
function oneIntentNeeds(intentId: string, world: World): readonly Need[] {
  const needs: Need[] = [{ kind: "intent", id: intentId }, ...READ_WATCHERS];
  const intent = world.get("intent", intentId);
  if (intent === undefined) return needs;
  needs.push(
    ...behindNeeds(intent, world),
    ...(intent.status === SUSPENDED ? suspensionEndNeeds(intent, world) : portfolioReadNeeds(intent)),
  );
  const { suspension, pending } = intent;
  if (pending !== undefined) needs.push(logNeed(intentId, pending["id"] as string));
  if (suspension === undefined) return needs;
  needs.push({ kind: "hold", id: suspension.holdId }, logNeed(intentId, suspension.id));
  const hold = world.get("hold", suspension.holdId);
  return hold?.status === "open" ? [...needs, ...settleNeeds(hold, world)] : needs;
}

/** A suspension may end by a deadline, and the intent with it. */
function suspensionEndNeeds(intent: Intent, world: World): readonly Need[] {
  return [...moveNeeds(intent, world), ...withdrawRequestsNeeds(intent, world)];
}

/** What a vote of this caller needs, if the suspension's hold has a decision rule. */
function voterNeeds(intentId: string, by: Principal, world: World): readonly Need[] {
  const holdId = world.get("intent", intentId)?.suspension?.holdId;
  const hold = holdId === undefined ? undefined : world.get("hold", holdId);
  return hold === undefined ? [] : voteNeeds(hold, { by, link: undefined }, world);
}

function logNeed(intentId: string, suspensionId: string): Need {
  return { kind: "suspension_log", id: suspensionLogId(intentId, suspensionId) };
}

function statusNeeds({ intentId, status }: SetStatus, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  if (intent === undefined) return [];
  if (status === SUSPENDED) return suspendNeeds(intent, world);
  if (status === "completed")
    return [...completeNeeds(intent, world), SETTINGS, ...withdrawRequestsNeeds(intent, world)];
  const withdrawn = status === "abandoned" ? withdrawRequestsNeeds(intent, world) : [];
  return [...moveNeeds(intent, world), ...withdrawn];
}

const withInputs = ({ intentId }: { readonly intentId: string }, world: World): readonly Need[] => {
  const intent = world.get("intent", intentId);
  return intent === undefined ? [] : inputNeeds(intent, world);
};

export const INTENT_COMMANDS = {
  create_intent: { about: "intent", needs: createNeeds, decide: createIntent },
  patch_state: onIntent(patchState, ({ intentId, patches }) =>
    recordIdsIn(patches).map((id) => logNeed(intentId, id)),
  ),
  set_status: onIntent(setStatus, statusNeeds),
  add_dependency: onIntent(changeDependency, dependencyNeeds),
  remove_dependency: onIntent(changeDependency, dependencyNeeds),
  suspend_intent: onIntent(suspendIntent, ({ intentId, record }, world) => {
    const intent = world.get("intent", intentId);
    const ids = recordIdsIn([{ op: "set", path: "_suspension", value: record }]);
    return [
      ...ids.map((id) => logNeed(intentId, id)),
      ...(intent === undefined ? [] : suspendNeeds(intent, world)),
    ];
  }),
  respond_to_suspension: onIntent(respondToSuspension, ({ intentId, suspensionId, by }, world) => [
    logNeed(intentId, suspensionId),
    ...voterNeeds(intentId, by, world),
  ]),
  cancel_suspension: onIntent(cancelSuspension),
  log_event: onIntent(logEvent, logEventNeeds),
  acquire_lease: onIntent(acquireLease, withInputs),
  renew_lease: onIntent(renewLease),
  release_lease: onIntent(releaseLease),
  set_acl: onIntent(changeAcl),
  grant_access: onIntent(changeAcl),
  revoke_access: onIntent(changeAcl),
  set_governance: onIntent(setGovernance),
  assign_agent: onIntent(assignAgent),
  unassign_agent: onIntent(assignAgent),
  set_retry_policy: onIntent(setRetryPolicy),
  record_failure: onIntent(recordFailure),
  record_decision: onIntent(recordDecision),
  ask_about_intent: onIntent(askAboutIntent, askNeeds),
  answer_intent_request: onIntent(answerIntentRequest, answerNeeds),
  keep_intent_checkpoint: onIntent(keepCheckpoint),
  tick_intent: tickIntent,
  put_subscription: { about: "subscription", needs: subscribeNeeds, decide: subscribe },
  remove_subscription: { about: "subscription", needs: unsubscribeNeeds, decide: unsubscribe },
  expire_subscription: { about: "subscription", needs: unsubscribeNeeds, decide: unsubscribe },
} satisfies CommandTable<IntentCommand, OpenIntentBodies, KernelFact | OpenIntentFact>;

/** Checkpoints are contiguous. One that does not begin right after the last one is refused: another server was faster. */
function keepCheckpoint(
  { checkpoint, by }: KeepIntentCheckpoint,
  intent: Intent,
  draft: Draft,
  { now }: Context,
): Reply {
  const { firstSeq, lastSeq, id } = checkpoint;
  if (firstSeq !== intent.checkpointed + 1 || lastSeq < firstSeq || lastSeq > intent.logged) {
    return refuse(failure("nothing_to_sign", "there are no new events to sign"));
  }
  const row = { kind: "intent_checkpoint", id, body: checkpoint } as const;
  changeIntent(begin(intent, draft, now, by), { checkpointed: lastSeq }, [row]);
  return accept(intent.id);
}
