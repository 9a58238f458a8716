/** Random plans over the tasks of random graphs, and what must hold of them after every command. */

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { openSuspension } from "../openintent/rules/intent/intent.ts";
import {
  isPlanOver,
  isWaiting,
  ON_FAILURE,
  ON_TIMEOUT,
  type Plan,
  type PlanState,
} from "../openintent/rules/plan/plan.ts";
import { isTaskOver, type Task } from "../openintent/rules/plan/task.ts";
import { bodyOf, type Rows } from "./core-step.ts";
import type { BareCommand } from "./given.ts";

const PLANS = 3;
/** Of which a checkpoint of these tests waits a few milliseconds. */
const HOUR_MS = 3_600_000;

export type PlanMove =
  | {
      readonly kind: "plan";
      readonly l: number;
      readonly after: number;
      readonly windowMs: number | null;
      readonly onTimeout: (typeof ON_TIMEOUT)[number];
      readonly onFailure: (typeof ON_FAILURE)[number];
    }
  | { readonly kind: "steer"; readonly l: number; readonly to: PlanState }
  | { readonly kind: "sign"; readonly l: number; readonly approve: boolean }
  | { readonly kind: "rewrite"; readonly l: number };

const l = fc.nat(PLANS - 1);

/** A plan of all that is to be done on the intent of one task, with a checkpoint after that task. */
export function newPlans(at: fc.Arbitrary<number>, t: fc.Arbitrary<number>): fc.Arbitrary<PlanMove> {
  return fc.record({
    kind: fc.constant("plan" as const),
    l: at,
    after: t,
    windowMs: fc.option(fc.nat(20), { nil: null }),
    onTimeout: fc.constantFrom(...ON_TIMEOUT),
    onFailure: fc.constantFrom(...ON_FAILURE),
  });
}

export function planMoves(t: fc.Arbitrary<number>): readonly fc.WeightedArbitrary<PlanMove>[] {
  const steer = fc.record({
    kind: fc.constant("steer" as const),
    l,
    to: fc.constantFrom<PlanState>("active", "active", "paused", "failed", "cancelled"),
  });
  const sign = fc.record({ kind: fc.constant("sign" as const), l, approve: fc.boolean() });
  const rewrite = fc.record({ kind: fc.constant("rewrite" as const), l });
  return [
    { weight: 2, arbitrary: newPlans(l, t) },
    { weight: 1, arbitrary: steer },
    { weight: 3, arbitrary: sign },
    { weight: 1, arbitrary: rewrite },
  ];
}

const planId = (at: number) => `plan_${at}`;
const checkpointId = (at: number) => `cp_${at}`;

export function planCommands(
  move: PlanMove,
  rows: Rows,
  tasks: readonly Task[],
  after: Task | undefined,
): readonly BareCommand[] {
  const on = { kind: "change_plan", planId: planId(move.l), patch: {} } as const;
  switch (move.kind) {
    case "plan": {
      const isThere = bodyOf(rows, "plan", planId(move.l)) !== undefined;
      return isThere || after === undefined ? [] : [newPlan(move, tasks, after), { ...on, state: "active" }];
    }
    case "steer":
      return [{ ...on, state: move.to }];
    case "sign":
      return [
        {
          kind: "resolve_checkpoint",
          planId: planId(move.l),
          checkpointId: checkpointId(move.l),
          approve: move.approve,
        },
      ];
    case "rewrite":
      return [{ ...on, patch: { checkpoints: [] } }];
  }
}

function newPlan(
  move: Extract<PlanMove, { kind: "plan" }>,
  tasks: readonly Task[],
  { id: afterTask, intentId }: Task,
): BareCommand {
  const free = tasks.filter((task) => task.intentId === intentId && task.planId === undefined);
  const { windowMs, onTimeout, onFailure } = move;
  const checkpoint = {
    id: checkpointId(move.l),
    name: "c",
    afterTask,
    requiresApproval: true,
    approvers: [],
    timeoutHours: windowMs === null ? null : (windowMs + 1) / HOUR_MS,
    onTimeout,
  };
  const plan = {
    id: planId(move.l),
    tasks: free.map(({ id }) => id),
    newTasks: [],
    checkpoints: [checkpoint],
    conditions: [],
    onFailure,
    onComplete: "notify",
    metadata: {},
  };
  return { kind: "create_plan", intentId, plan };
}

/** `before`: the plans as they were one move earlier. */
export function checkPlan(plan: Plan, before: Plan | undefined, rows: Rows): void {
  const tasks = plan.tasks.map((id) => bodyOf(rows, "task", id) as Task);
  const open = tasks.filter((task) => !isTaskOver(task)).length;
  if (before !== undefined && isPlanOver(before))
    assert.equal(plan.state, before.state, "what is over stays over");
  assert(!(plan.state === "active" && isWaiting(plan)), "no plan goes on past what waits for a person");
  assert(plan.state !== "completed" || (open === 0 && !isWaiting(plan)), "a complete plan has nothing open");
  if (!isPlanOver(plan)) assert.equal(plan.open, open, "how many tasks are open");
  const intent = bodyOf(rows, "intent", plan.intentId);
  const asked = intent === undefined ? undefined : openSuspension(intent)?.holdId;
  const place = intent?.checkpoint;
  if (place === undefined || place.planId !== plan.id || place.holdId !== asked) return;
  const checkpoint = plan.checkpoints.find(({ id }) => id === place.checkpointId);
  assert.equal(checkpoint?.status, "waiting", "what is asked waits");
  assert.equal(checkpoint?.holdId, asked, "the checkpoint knows its question");
}
