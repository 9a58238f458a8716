/** Commands about intents: what each needs to see, and who decides it. */

import type { Context } from "../context.ts";
import { accept, type Decision, refuse } from "../decision.ts";
import { changeDependency, dependencyNeeds } from "../graph/dependencies.ts";
import { hearersNeeds } from "../graph/dependents.ts";
import { completeNeeds, moveNeeds, suspendNeeds } from "../graph/needs.ts";
import { settleNeeds } from "../hold/settle.ts";
import { refusal } from "../refusal.ts";
import { inputNeeds } from "../workflow/inputs.ts";
import type { Need, World } from "../world.ts";
import { changeAcl } from "./acl.ts";
import { suspendIntent } from "./ask.ts";
import { cancelSuspension } from "./cancel.ts";
import type { IntentCommand, KeepIntentCheckpoint, OnOneIntent, SetStatus } from "./commands.ts";
import { createIntent, createNeeds } from "./create.ts";
import { type Intent, SUSPENDED, suspensionLogId } from "./intent.ts";
import { acquireLease, releaseLease, renewLease } from "./leases.ts";
import { logEvent, logEventNeeds } from "./log-event.ts";
import { respondToSuspension } from "./respond.ts";
import { recordFailure, setRetryPolicy } from "./retry.ts";
import { setStatus } from "./set-status.ts";
import { patchState } from "./state.ts";
import { begin, note } from "./story.ts";
import { changeSubscription, subscriptionNeeds } from "./subscriptions.ts";
import { assignAgent, recordDecision, setGovernance } from "./team.ts";
import { dueFacts } from "./tick.ts";
import { recordIdsIn } from "./touch.ts";

export function intentNeeds(command: IntentCommand, world: World): readonly Need[] {
  switch (command.kind) {
    case "create_intent":
      return createNeeds(command, world);
    case "put_subscription":
    case "remove_subscription":
    case "expire_subscription":
      return subscriptionNeeds(command, world);
    default:
      return [...oneIntentNeeds(command.intentId, world), ...ownNeeds(command, world)];
  }
}

/** The intent, its newest question, and all that the end of that question would touch. */
function oneIntentNeeds(intentId: string, world: World): readonly Need[] {
  const needs: Need[] = [
    { kind: "intent", id: intentId },
    { kind: "workspace", id: "settings", read: true },
  ];
  const intent = world.get("intent", intentId);
  if (intent === undefined) return needs;
  needs.push(...(intent.status === SUSPENDED ? moveNeeds(intent, world) : hearersNeeds(intent)));
  const { suspension, pending } = intent;
  if (pending !== undefined) needs.push(logNeed(intentId, pending["id"] as string));
  if (suspension === undefined) return needs;
  needs.push({ kind: "hold", id: suspension.holdId }, logNeed(intentId, suspension.id));
  const hold = world.get("hold", suspension.holdId);
  return hold?.status === "open" ? [...needs, ...settleNeeds(hold, world)] : needs;
}

function logNeed(intentId: string, suspensionId: string): Need {
  return { kind: "suspension_log", id: suspensionLogId(intentId, suspensionId) };
}

function ownNeeds(command: OnOneIntent, world: World): readonly Need[] {
  const { intentId } = command;
  switch (command.kind) {
    case "patch_state":
      return recordIdsIn(command.patches).map((id) => logNeed(intentId, id));
    case "set_status":
      return statusNeeds(command, world);
    case "add_dependency":
    case "remove_dependency":
      return dependencyNeeds(command, world);
    case "suspend_intent": {
      const intent = world.get("intent", intentId);
      const ids = recordIdsIn([{ op: "set", path: "_suspension", value: command.record }]);
      return [
        ...ids.map((id) => logNeed(intentId, id)),
        ...(intent === undefined ? [] : suspendNeeds(intent, world)),
      ];
    }
    case "respond_to_suspension":
      return [logNeed(intentId, command.suspensionId)];
    case "acquire_lease": {
      const intent = world.get("intent", intentId);
      return intent === undefined ? [] : inputNeeds(intent, world);
    }
    case "log_event":
      return logEventNeeds(command);
    default:
      return [];
  }
}

function statusNeeds({ intentId, status }: SetStatus, world: World): readonly Need[] {
  const intent = world.get("intent", intentId);
  if (intent === undefined) return [];
  if (status === "completed") return completeNeeds(intent, world);
  return status === SUSPENDED ? suspendNeeds(intent, world) : moveNeeds(intent, world);
}

export function decideIntent(command: IntentCommand, world: World, context: Context): Decision {
  switch (command.kind) {
    case "create_intent":
      return createIntent(command, world, context);
    case "put_subscription":
    case "remove_subscription":
    case "expire_subscription":
      return changeSubscription(command, world, context);
    default:
      return decideOnIntent(command, world, context);
  }
}

/** What the clock has decided comes before what anybody wants; they are told to look again. */
function decideOnIntent(command: OnOneIntent, world: World, context: Context): Decision {
  const intent = world.get("intent", command.intentId);
  if (intent === undefined) return refuse(refusal("not_found", "no such intent"));
  const due = dueFacts(intent, world, context.now);
  if (command.kind === "tick_intent") return accept("intent", intent.id, due);
  if (due.length > 0) return refuse(refusal("came_due", "something came due in the meantime"), due);
  return decideOne(command, intent, world, context);
}

type Decided = Exclude<OnOneIntent, { readonly kind: "tick_intent" }>;

function decideOne(command: Decided, intent: Intent, world: World, context: Context): Decision {
  switch (command.kind) {
    case "patch_state":
      return patchState(command, intent, world, context);
    case "set_status":
      return setStatus(command, intent, world, context);
    case "add_dependency":
    case "remove_dependency":
      return changeDependency(command, intent, world, context);
    case "suspend_intent":
      return suspendIntent(command, intent, world, context);
    case "respond_to_suspension":
      return respondToSuspension(command, intent, world, context);
    case "cancel_suspension":
      return cancelSuspension(command, intent, world, context);
    case "log_event":
      return logEvent(command, intent, world, context);
    case "acquire_lease":
      return acquireLease(command, intent, world, context);
    case "renew_lease":
      return renewLease(command, intent, world, context);
    case "release_lease":
      return releaseLease(command, intent, world, context);
    case "set_acl":
    case "grant_access":
    case "revoke_access":
      return changeAcl(command, intent, world, context);
    case "set_governance":
      return setGovernance(command, intent, world, context);
    case "assign_agent":
    case "unassign_agent":
      return assignAgent(command, intent, world, context);
    case "set_retry_policy":
      return setRetryPolicy(command, intent, world, context);
    case "record_failure":
      return recordFailure(command, intent, world, context);
    case "record_decision":
      return recordDecision(command, intent, world, context);
    case "keep_intent_checkpoint":
      return keepCheckpoint(command, intent, world, context);
  }
}

/** Checkpoints are contiguous: one that does not begin where the last one ended is somebody else's past. */
function keepCheckpoint(
  { checkpoint, by }: KeepIntentCheckpoint,
  intent: Intent,
  world: World,
  { now }: Context,
): Decision {
  const { firstSeq, lastSeq, id } = checkpoint;
  if (firstSeq !== intent.checkpointed + 1 || lastSeq < firstSeq || lastSeq > intent.logged) {
    return refuse(refusal("nothing_to_sign", "there is nothing new to sign"));
  }
  const story = begin(intent, world, now, by);
  const kept = note(story, { checkpointed: lastSeq }, [{ kind: "intent_checkpoint", id, body: checkpoint }]);
  return accept("intent", intent.id, kept.facts);
}
