/** All operations of this face, as data. */

import type { OperationSet } from "@holdpoint/protocol";
import type { Handlers } from "../../../faces/http/mount.ts";
import type { OpenIntentDeps } from "../deps.ts";
import type { doors } from "../doors.ts";
import { ErrorOut, errorWords } from "../errors.ts";
import { CoordinatorIn, CoordinatorOut } from "../wire/coordinator.ts";
import { ChainOut, CheckpointOut, EventOut, ProofOut } from "../wire/event.ts";
import { IntentIn, IntentOut } from "../wire/intent.ts";
import { PlanIn, PlanOut, TaskIn, TaskOut } from "../wire/plan.ts";
import { PortfolioIn, PortfolioOut } from "../wire/portfolio.ts";
import { AccessRequestOut, ApprovalOut, ArbitrationOut, EscalationOut } from "../wire/request.ts";
import { RespondIn, RespondOut, SuspendIn } from "../wire/suspension.ts";
import {
  AclOut,
  DecisionOut,
  FailureOut,
  LeaseOut,
  RetryPolicyOut,
  SubscriptionIn,
  SubscriptionOut,
} from "../wire/work.ts";
import { coordinatorOperations } from "./coordinators.ts";
import { graphOperations } from "./graph.ts";
import { hearingOperations } from "./hearing.ts";
import { intentOperations } from "./intents.ts";
import { logOperations } from "./log.ts";
import { planOperations } from "./plans.ts";
import { portfolioOperations } from "./portfolios.ts";
import { requestOperations } from "./requests.ts";
import { suspensionOperations } from "./suspensions.ts";
import { workOperations } from "./work.ts";

/** The operations by name, in the order of the reference. */
export const operations = {
  ...intentOperations,
  ...graphOperations,
  ...suspensionOperations,
  ...logOperations,
  ...workOperations,
  ...requestOperations,
  ...portfolioOperations,
  ...planOperations,
  ...coordinatorOperations,
  ...hearingOperations,
};

/** The handlers of a group of operations. */
export type Routes = Partial<Handlers<typeof operations, OpenIntentDeps, typeof doors>>;

export const openIntentSet: OperationSet = {
  name: "openintent",
  title: "OpenIntent",
  operations: Object.values(operations),
  components: {
    IntentIn,
    IntentOut,
    SuspendIn,
    RespondIn,
    RespondOut,
    IntentEvent: EventOut,
    IntentChain: ChainOut,
    IntentCheckpoint: CheckpointOut,
    MerkleProof: ProofOut,
    PortfolioIn,
    PortfolioOut,
    TaskIn,
    TaskOut,
    PlanIn,
    PlanOut,
    CoordinatorIn,
    CoordinatorOut,
    LeaseOut,
    AclOut,
    RetryPolicyOut,
    FailureOut,
    DecisionRecord: DecisionOut,
    IntentApproval: ApprovalOut,
    IntentEscalation: EscalationOut,
    IntentArbitration: ArbitrationOut,
    IntentAccessRequest: AccessRequestOut,
    SubscriptionIn,
    SubscriptionOut,
    IntentError: ErrorOut,
  },
  errors: errorWords,
};
