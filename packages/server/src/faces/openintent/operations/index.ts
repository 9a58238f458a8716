/** Everything this face serves, as data. */

import type { OperationSet } from "@holdpoint/protocol";
import { ErrorOut, errorWords } from "../errors.ts";
import { ChainOut, CheckpointOut, EventOut, ProofOut } from "../wire/event.ts";
import { IntentIn, IntentOut } from "../wire/intent.ts";
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
import * as hearing from "./hearing.ts";
import * as intents from "./intents.ts";
import * as log from "./log.ts";
import * as suspensions from "./suspensions.ts";
import * as work from "./work.ts";

export const operations = { ...intents, ...suspensions, ...log, ...work, ...hearing } as const;

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
    LeaseOut,
    AclOut,
    RetryPolicyOut,
    FailureOut,
    DecisionRecord: DecisionOut,
    SubscriptionIn,
    SubscriptionOut,
    IntentError: ErrorOut,
  },
  errors: errorWords,
};
