/**
 * The core's three questions, asked by the engine and nobody else: what does a command need to see, what does it come to,
 * and (in `evolve.ts`) what is so afterwards.
 */

import type { AccessCommand } from "./access/commands.ts";
import { accessNeeds, decideAccess } from "./access/decide.ts";
import type { Context } from "./context.ts";
import type { CoordinatorCommand } from "./coordinator/commands.ts";
import { coordinatorNeeds, decideCoordinator } from "./coordinator/decide.ts";
import type { Decision } from "./decision.ts";
import type { HoldCommand } from "./hold/commands.ts";
import { decideHold, holdNeeds } from "./hold/decide.ts";
import type { IntentCommand } from "./intent/commands.ts";
import { decideIntent, intentNeeds } from "./intent/decide.ts";
import type { PlanCommand } from "./plan/commands.ts";
import { decidePlan, planNeeds } from "./plan/decide.ts";
import type { PortfolioCommand } from "./portfolio/commands.ts";
import { decidePortfolio, portfolioNeeds } from "./portfolio/decide.ts";
import { isReleaseCommand, type ReleaseCommand } from "./release/commands.ts";
import { decideRelease, releaseNeeds } from "./release/decide.ts";
import { decideSkip, isSkipCommand, type SkipCommand, skipNeeds } from "./skip/decide.ts";
import { decideThread, isThreadCommand, type ThreadCommand, threadNeeds } from "./thread/decide.ts";
import type { Need, World } from "./world.ts";

export type Command =
  | HoldCommand
  | AccessCommand
  | IntentCommand
  | ThreadCommand
  | ReleaseCommand
  | SkipCommand
  | PortfolioCommand
  | PlanCommand
  | CoordinatorCommand;

/** Asked again with what was loaded until it names nothing new. */
export function needs(command: Command, world: World): readonly Need[] {
  if (isHoldCommand(command)) return holdNeeds(command, world);
  if (isThreadCommand(command)) return threadNeeds(command, world);
  if (isReleaseCommand(command)) return releaseNeeds(command);
  if (isSkipCommand(command)) return skipNeeds(command);
  if (isPortfolioCommand(command)) return portfolioNeeds(command, world);
  if (isPlanCommand(command)) return planNeeds(command, world);
  if (isCoordinatorCommand(command)) return coordinatorNeeds(command, world);
  return isIntentCommand(command) ? intentNeeds(command, world) : accessNeeds(command);
}

export function decide(command: Command, world: World, context: Context): Decision {
  if (isHoldCommand(command)) return decideHold(command, world, context);
  if (isThreadCommand(command)) return decideThread(command, world, context);
  if (isReleaseCommand(command)) return decideRelease(command, world, context);
  if (isSkipCommand(command)) return decideSkip(command, context);
  if (isPortfolioCommand(command)) return decidePortfolio(command, world, context);
  if (isPlanCommand(command)) return decidePlan(command, world, context);
  if (isCoordinatorCommand(command)) return decideCoordinator(command, world, context);
  return isIntentCommand(command)
    ? decideIntent(command, world, context)
    : decideAccess(command, world, context);
}

const HOLD_COMMANDS: ReadonlySet<string> = new Set<HoldCommand["kind"]>([
  "place_hold",
  "place_group",
  "answer_hold",
  "answer_group",
  "cancel_hold",
  "open_hold",
  "progress_hold",
  "tick_hold",
  "make_link",
  "notify_hold",
  "revoke_link",
  "claim_hold",
  "finish_claim",
  "release_claim",
  "revoke_hold",
  "add_file",
  "erase_hold",
]);

function isHoldCommand(command: Command): command is HoldCommand {
  return HOLD_COMMANDS.has(command.kind);
}

const INTENT_COMMANDS: ReadonlySet<string> = new Set<IntentCommand["kind"]>([
  "create_intent",
  "patch_state",
  "set_status",
  "add_dependency",
  "remove_dependency",
  "suspend_intent",
  "respond_to_suspension",
  "cancel_suspension",
  "log_event",
  "acquire_lease",
  "renew_lease",
  "release_lease",
  "set_acl",
  "grant_access",
  "revoke_access",
  "set_governance",
  "assign_agent",
  "unassign_agent",
  "set_retry_policy",
  "record_failure",
  "record_decision",
  "keep_intent_checkpoint",
  "tick_intent",
  "put_subscription",
  "remove_subscription",
  "expire_subscription",
]);

const COORDINATOR_COMMANDS: ReadonlySet<string> = new Set<CoordinatorCommand["kind"]>([
  "grant_coordinator",
  "change_coordinator",
  "beat_coordinator",
  "record_coordinator_decision",
  "tick_coordinator",
]);

function isCoordinatorCommand(command: Command): command is CoordinatorCommand {
  return COORDINATOR_COMMANDS.has(command.kind);
}

const PLAN_COMMANDS: ReadonlySet<string> = new Set<PlanCommand["kind"]>([
  "create_task",
  "change_task",
  "progress_task",
  "delegate_task",
  "escalate_task",
  "tick_task",
  "create_plan",
  "change_plan",
  "resolve_checkpoint",
]);

function isPlanCommand(command: Command): command is PlanCommand {
  return PLAN_COMMANDS.has(command.kind);
}

const PORTFOLIO_COMMANDS: ReadonlySet<string> = new Set<PortfolioCommand["kind"]>([
  "create_portfolio",
  "change_portfolio",
  "add_member",
  "remove_member",
]);

function isPortfolioCommand(command: Command): command is PortfolioCommand {
  return PORTFOLIO_COMMANDS.has(command.kind);
}

function isIntentCommand(command: Command): command is IntentCommand {
  return INTENT_COMMANDS.has(command.kind);
}
