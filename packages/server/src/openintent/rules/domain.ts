/** OpenIntent as a table: intents, their graph, plans, portfolios and coordinators. */

import { type AnyCommand, type CommandTable, type Domain, kind } from "../../kernel/domain.ts";
import type { KernelFact } from "../../kernel/kernel.ts";
import { INTENT_ATTACHMENT } from "./attachment.ts";
import type { CoordinatorCommand } from "./coordinator/commands.ts";
import { type Coordinator, type CoordinatorDecision, coordinatorDueAt } from "./coordinator/coordinator.ts";
import {
  beatCoordinator,
  changeCoordinator,
  coordinatorNeeds,
  grantCoordinator,
  grantNeeds,
  recordCoordinatorDecision,
  recordNeeds,
  tickCoordinator,
} from "./coordinator/decide.ts";
import { COORDINATOR_FACTS } from "./coordinator/facts.ts";
import type { OpenIntentFact } from "./facts.ts";
import type { IdPage } from "./graph/paged-ids.ts";
import { STATUS_COUNT_FACTS, type StatusCounts } from "./graph/status-counts.ts";
import { INTENT_COMMANDS } from "./intent/decide.ts";
import { INTENT_FACTS, SUBSCRIPTION_FACTS } from "./intent/facts.ts";
import { childStatus, type Intent, type SuspensionLog } from "./intent/intent.ts";
import type { DecisionRecord, Failure, IntentCheckpoint, Subscription } from "./intent/records.ts";
import { intentDueAt } from "./intent/tick.ts";
import type { WorkspaceWatchers } from "./intent/watchers.ts";
import { PLAN_COMMANDS } from "./plan/decide.ts";
import { type CheckpointPlace, type Plan, planDueAt } from "./plan/plan.ts";
import { type Task, taskDueAt } from "./plan/task.ts";
import type { PortfolioCommand } from "./portfolio/commands.ts";
import {
  changeNeeds,
  changePortfolio,
  createPortfolio,
  tickPortfolio,
  tickPortfolioNeeds,
} from "./portfolio/decide.ts";
import { PORTFOLIO_FACTS } from "./portfolio/facts.ts";
import { addMember, memberNeeds, removeMember } from "./portfolio/members.ts";
import { type Membership, type Portfolio, portfolioDueAt } from "./portfolio/portfolio.ts";
import type { IntentRequest } from "./request/request.ts";
import type { OpenIntentBodies } from "./world.ts";

/** The index value for the questions of one type about one intent. */
export function requestsOf(intentId: string, type: IntentRequest["type"]): string {
  return `${intentId}\n${type}`;
}

const byIntent = { intent: ({ intentId }: { readonly intentId: string }) => intentId };

export const OPENINTENT_KINDS = {
  intent: kind<Intent>({
    indexes: {
      status: ({ status }) => status,
      creator: ({ createdBy }) => createdBy,
      parent: ({ parentId }) => parentId,
      child_status: ({ parentId, status }) =>
        parentId === undefined ? undefined : childStatus(parentId, status),
      tree: ({ path }) => path?.at(-1),
      unsigned: ({ logged, checkpointed }) => (logged > checkpointed ? "yes" : undefined),
    },
    timer: { dueAt: intentDueAt, command: (intentId) => ({ kind: "tick_intent", intentId }) },
  }),
  /** (intent, suspension) → the log content of one suspension, kept apart so that it can be erased. */
  suspension_log: kind<SuspensionLog>(),
  failure: kind<Failure>({ indexes: byIntent }),
  decision: kind<DecisionRecord>({ indexes: byIntent }),
  intent_checkpoint: kind<IntentCheckpoint>({ indexes: byIntent }),
  /** Questions about an intent that do not suspend it. */
  intent_request: kind<IntentRequest>({
    indexes: {
      intent_type: ({ intentId, type }) => requestsOf(intentId, type),
      type: ({ type }) => type,
    },
  }),
  subscription: kind<Subscription>({
    indexes: {
      intent: ({ intentId }) => intentId,
      portfolio: ({ portfolioId }) => portfolioId,
      owner: ({ owner }) => owner.name,
    },
    timer: {
      dueAt: ({ active, expiresAt }) => (active ? (expiresAt ?? null) : null),
      command: (subscriptionId) => ({ kind: "expire_subscription", subscriptionId }),
    },
  }),
  workspace_watchers: kind<WorkspaceWatchers>(),
  /** A page of a long list of ids. */
  roll: kind<IdPage>(),
  /** How many members a container has in each status. */
  tally: kind<StatusCounts>(),
  task: kind<Task>({
    indexes: { intent: ({ intentId }) => intentId, plan: ({ planId }) => planId },
    timer: { dueAt: taskDueAt, command: (taskId) => ({ kind: "tick_task", taskId }) },
  }),
  plan: kind<Plan>({
    indexes: byIntent,
    timer: { dueAt: planDueAt, command: (planId) => ({ kind: "tick_plan", planId }) },
  }),
  /** (plan, checkpoint). The index finds the plans by a checkpoint's id. */
  plan_checkpoint: kind<CheckpointPlace>({ indexes: { checkpoint: ({ checkpointId }) => checkpointId } }),
  coordinator: kind<Coordinator>({
    indexes: {
      intent: ({ intentId }) => intentId ?? undefined,
      portfolio: ({ portfolioId }) => portfolioId ?? undefined,
    },
    timer: {
      dueAt: coordinatorDueAt,
      command: (coordinatorId) => ({ kind: "tick_coordinator", coordinatorId }),
    },
  }),
  coordinator_decision: kind<CoordinatorDecision>({ indexes: byIntent }),
  portfolio: kind<Portfolio>({
    indexes: { creator: ({ createdBy }) => createdBy },
    timer: {
      dueAt: portfolioDueAt,
      command: (portfolioId) => ({ kind: "tick_portfolio", portfolioId }),
    },
  }),
  /** (portfolio, intent) → the intent's membership. */
  membership: kind<Membership>({
    indexes: {
      portfolio: ({ portfolioId }) => portfolioId,
      suspended: ({ portfolioId, suspended }) => (suspended === undefined ? undefined : portfolioId),
    },
  }),
};

type Commands<C extends AnyCommand> = CommandTable<C, OpenIntentBodies, KernelFact | OpenIntentFact>;

const portfolioCommands = {
  create_portfolio: {
    about: "portfolio",
    needs: ({ portfolio }) => [{ kind: "portfolio", id: portfolio.id }],
    decide: createPortfolio,
  },
  change_portfolio: { about: "portfolio", needs: changeNeeds, decide: changePortfolio },
  tick_portfolio: { about: "portfolio", needs: tickPortfolioNeeds, decide: tickPortfolio },
  add_member: { about: "portfolio", needs: memberNeeds, decide: addMember },
  remove_member: { about: "portfolio", needs: memberNeeds, decide: removeMember },
} satisfies Commands<PortfolioCommand>;

const coordinatorCommands = {
  grant_coordinator: { about: "coordinator", needs: grantNeeds, decide: grantCoordinator },
  change_coordinator: { about: "coordinator", needs: coordinatorNeeds, decide: changeCoordinator },
  beat_coordinator: { about: "coordinator", needs: coordinatorNeeds, decide: beatCoordinator },
  record_coordinator_decision: {
    about: "coordinator_decision",
    needs: recordNeeds,
    decide: recordCoordinatorDecision,
  },
  tick_coordinator: { about: "coordinator", needs: coordinatorNeeds, decide: tickCoordinator },
} satisfies Commands<CoordinatorCommand>;

export const OPENINTENT = {
  kinds: OPENINTENT_KINDS,
  commands: { ...INTENT_COMMANDS, ...PLAN_COMMANDS, ...portfolioCommands, ...coordinatorCommands },
  facts: {
    ...INTENT_FACTS,
    ...SUBSCRIPTION_FACTS,
    ...STATUS_COUNT_FACTS,
    ...PORTFOLIO_FACTS,
    ...COORDINATOR_FACTS,
  },
  attachment: INTENT_ATTACHMENT,
} satisfies Domain;
