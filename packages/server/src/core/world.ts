/** What a command sees: the entities its `needs` named, as they stand after everything decided before it in its batch. */

import type { ApiKey, Person, Session, SignIn, Webhook, WorkspaceSettings } from "./access/access.ts";
import type { Coordinator, CoordinatorDecision } from "./coordinator/coordinator.ts";
import type { Kind } from "./entity.ts";
import type { RollPage } from "./graph/roll.ts";
import type { Tally } from "./graph/tally.ts";
import type { Group } from "./hold/group.ts";
import type { FormSession, Hold, HoldKey } from "./hold/hold.ts";
import type { Link } from "./hold/link.ts";
import type { Intent, SuspensionLog } from "./intent/intent.ts";
import type { DecisionRecord, Failure, IntentCheckpoint, Subscription } from "./intent/records.ts";
import type { Checkpoint, SigningKey } from "./log/checkpoint.ts";
import type { CheckpointPlace, Plan } from "./plan/plan.ts";
import type { Task } from "./plan/task.ts";
import type { Membership, Portfolio } from "./portfolio/portfolio.ts";
import type { Release } from "./release/release.ts";
import type { Skip } from "./skip/skip.ts";
import type { Thread } from "./thread/thread.ts";

/** Which body each kind has. */
export interface Bodies {
  readonly hold: Hold;
  readonly hold_key: HoldKey;
  readonly link: Link;
  readonly group: Group;
  readonly form_session: FormSession;
  readonly thread: Thread;
  readonly release: Release;
  readonly skip: Skip;
  readonly workspace: WorkspaceSettings;
  readonly api_key: ApiKey;
  readonly sign_in: SignIn;
  readonly session: Session;
  readonly person: Person;
  readonly webhook: Webhook;
  readonly signing_key: SigningKey;
  readonly checkpoint: Checkpoint;
  readonly intent: Intent;
  readonly suspension_log: SuspensionLog;
  readonly failure: Failure;
  readonly decision: DecisionRecord;
  readonly subscription: Subscription;
  readonly intent_checkpoint: IntentCheckpoint;
  readonly roll: RollPage;
  readonly tally: Tally;
  readonly task: Task;
  readonly plan: Plan;
  readonly plan_checkpoint: CheckpointPlace;
  readonly coordinator: Coordinator;
  readonly coordinator_decision: CoordinatorDecision;
  readonly portfolio: Portfolio;
  readonly membership: Membership;
}

export interface World {
  get<K extends Kind & keyof Bodies>(kind: K, id: string): Bodies[K] | undefined;
  /** Version of an entity, 0 when there is none. */
  version(kind: Kind, id: string): number;
}

export interface Need {
  readonly kind: Kind;
  readonly id: string;
  /** Looked at only; others may change it meanwhile without harm. */
  readonly read?: true;
}

/** One entity's next body; `null` deletes it. */
export type Change = {
  [K in keyof Bodies]: { readonly kind: K; readonly id: string; readonly body: Bodies[K] | null };
}[keyof Bodies];
