/**
 * Random graphs, portfolios, plans and tasks on the pure core, and what must hold of them after every command: the five
 * container rules of RFC-0026, and that whatever is counted or listed twice says the same twice.
 */

import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Bodies, Command } from "../domains.ts";
import { SYSTEM } from "../kernel/principal.ts";
import { dependentIds } from "../openintent/rules/graph/dependents.ts";
import { idsIn } from "../openintent/rules/graph/paged-ids.ts";
import { childCountsId, memberCountsId, type StatusCounts } from "../openintent/rules/graph/status-counts.ts";
import type { MadeHold } from "../openintent/rules/intent/commands.ts";
import {
  INTENT_STATUSES,
  type Intent,
  type IntentStatus,
  openSuspension,
  SUSPENDED,
} from "../openintent/rules/intent/intent.ts";
import { isLive, type Task } from "../openintent/rules/plan/task.ts";
import { memberIds, membershipId, type Portfolio } from "../openintent/rules/portfolio/portfolio.ts";
import { checkPlan, newPlans, type PlanMove, planCommands, planMoves } from "./container-plans.ts";
import { DEV, WORKSPACE } from "./core-samples.ts";
import { bodyOf, type Rows, runStep, worldOf } from "./core-step.ts";
import type { BareCommand } from "./given.ts";

const INTENTS = 7;
const PORTFOLIOS = 2;
const TASKS = 8;

export type Move =
  | {
      readonly kind: "make";
      readonly n: number;
      readonly on: readonly number[];
      readonly under: number | null;
      readonly active: boolean;
    }
  | { readonly kind: "status"; readonly n: number; readonly to: IntentStatus }
  | { readonly kind: "suspend"; readonly n: number; readonly window: number | null; readonly goesOn: boolean }
  | { readonly kind: "answer" | "cancel"; readonly n: number }
  | { readonly kind: "link" | "unlink"; readonly n: number; readonly on: number }
  | { readonly kind: "join" | "leave"; readonly n: number; readonly p: number }
  | { readonly kind: "deadline"; readonly p: number; readonly inMs: number | null }
  | {
      readonly kind: "task";
      readonly n: number;
      readonly t: number;
      readonly executes: number | null;
      readonly on: number | null;
    }
  | { readonly kind: "work"; readonly t: number; readonly to: Task["status"] }
  | { readonly kind: "wait"; readonly ms: number }
  | PlanMove;

const n = fc.nat(INTENTS - 1);
const p = fc.nat(PORTFOLIOS - 1);
const t = fc.nat(TASKS - 1);

const anything: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("make" as const),
        n,
        on: fc.uniqueArray(n, { maxLength: 3 }),
        under: fc.option(n),
        active: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("status" as const),
        n,
        to: fc.constantFrom(...INTENT_STATUSES, "completed" as const, "completed" as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("suspend" as const),
        n,
        window: fc.option(fc.nat(20)),
        goesOn: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom("answer" as const, "answer" as const, "cancel" as const),
        n,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("link" as const, "link" as const, "unlink" as const),
        n,
        on: n,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("join" as const, "join" as const, "leave" as const),
        n,
        p,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("deadline" as const), p, inMs: fc.option(fc.nat(30)) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("task" as const),
        n,
        t,
        executes: fc.option(n, { freq: 1 }),
        on: fc.option(t, { freq: 1 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("work" as const),
        t,
        to: fc.constantFrom(
          "claimed" as const,
          "running" as const,
          "running" as const,
          "completed" as const,
          "failed" as const,
          "blocked" as const,
          "cancelled" as const,
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(15) }) },
    ...planMoves(t),
  ),
  { minLength: 30, maxLength: 80, size: "max" },
);

/** A graph, its tasks and portfolios to begin with: otherwise most of what follows would find nobody. */
const beginnings: fc.Arbitrary<readonly Move[]> = fc
  .tuple(
    ...Array.from({ length: INTENTS }, (_, at) =>
      fc.record({
        kind: fc.constant("make" as const),
        n: fc.constant(at),
        on: at === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(at - 1), { maxLength: 2 }),
        under: at === 0 ? fc.constant(null) : fc.option(fc.nat(at - 1), { freq: 1 }),
        active: fc.boolean(),
      }),
    ),
    ...Array.from({ length: TASKS / 2 }, (_, at) =>
      fc.record({
        kind: fc.constant("task" as const),
        n,
        t: fc.constant(at),
        executes: fc.option(n, { freq: 1 }),
        on: fc.constant(null),
      }),
    ),
    newPlans(fc.constant(0), fc.constant(0)),
    fc.record({ kind: fc.constant("join" as const), n, p }),
    fc.record({ kind: fc.constant("join" as const), n, p }),
  )
  .map((all): readonly Move[] => all);

export const moves: fc.Arbitrary<readonly Move[]> = fc
  .tuple(beginnings, anything)
  .map(([first, rest]) => [...first, ...rest]);

interface State {
  rows: Rows;
  now: number;
  serial: number;
  readonly room: number;
}

export interface Pace {
  /** How many rows a command loads of those that it only needs if there is room. Absent: all. */
  readonly room?: number;
  /** Timers fire only after so many moves. What follows in small batches is not there before. */
  readonly movesPerTick?: number;
}

const intentId = (at: number) => `intent_${String(at).padStart(26, "0")}`;
const portfolioId = (at: number) => `portfolio_${at}`;
const taskId = (at: number) => `task_${at}`;

/** Plays the moves one after another and checks everything whenever the timers have fired. */
export function play(
  all: readonly Move[],
  gate: "strict" | "soft",
  { room = Number.POSITIVE_INFINITY, movesPerTick = 1 }: Pace = {},
): ReadonlyMap<string, number> {
  const state: State = { rows: new Map(), now: 1000, serial: 0, room };
  const met = new Map<string, number>();
  for (let at = 0; at < PORTFOLIOS; at += 1) {
    const portfolio = {
      id: portfolioId(at),
      name: "p",
      description: null,
      namespace: null,
      metadata: {},
      governance: {},
    };
    run(state, { kind: "create_portfolio", portfolio }, met);
  }
  for (let from = 0; from < all.length; from += movesPerTick) {
    const before = state.rows;
    for (const move of all.slice(from, from + movesPerTick))
      for (const command of commandsOf(move, state, gate)) run(state, command, met);
    tickAll(state, met);
    checkContainers(state.rows, state.now);
    for (const plan of bodies(state.rows, "plan"))
      checkPlan(plan, bodyOf(before, "plan", plan.id), state.rows);
  }
  return met;
}

function run(state: State, command: BareCommand, met: Map<string, number>): boolean {
  state.serial += 1;
  const whole = {
    ...command,
    workspace: WORKSPACE,
    by: command.kind.startsWith("tick_") ? SYSTEM : DEV,
  } as Command;
  const { after, decision } = runStep(state.rows, whole, state.now, { room: state.room });
  if ([...after.values()].some(({ body }) => "behind" in body))
    met.set("left behind", (met.get("left behind") ?? 0) + 1);
  state.rows = after;
  const word = decision.reply.ok ? `${command.kind} done` : `${command.kind} ${decision.reply.failure.code}`;
  met.set(word, (met.get(word) ?? 0) + 1);
  return decision.facts.length > 0;
}

/** What the timers would do: until nothing more is due. */
function tickAll(state: State, met: Map<string, number>): void {
  const all = () => [
    ...bodies(state.rows, "hold").map(({ id }) => ({ kind: "tick_hold", holdId: id }) as const),
    ...bodies(state.rows, "intent").map(({ id }) => ({ kind: "tick_intent", intentId: id }) as const),
    ...bodies(state.rows, "task").map(({ id }) => ({ kind: "tick_task", taskId: id }) as const),
    ...bodies(state.rows, "plan").map(({ id }) => ({ kind: "tick_plan", planId: id }) as const),
  ];
  for (let again = true; again; ) {
    again = false;
    for (const tick of all()) again = run(state, tick, met) || again;
  }
}

function commandsOf(move: Move, state: State, gate: "strict" | "soft"): readonly BareCommand[] {
  const made = { holdId: `hold_${state.serial}`, salt: "s" };
  const at = "n" in move ? intentId(move.n) : "";
  const intent = bodyOf(state.rows, "intent", at);
  const ifVersion = intent?.version ?? 0;
  switch (move.kind) {
    case "make":
      return intent === undefined ? makeIntent(move, at, state, gate) : [];
    case "status":
      return [{ kind: "set_status", intentId: at, status: move.to, ifVersion, made }];
    case "suspend": {
      const timeout = move.window === null ? {} : { timeout_seconds: (move.window + 1) / 1000 };
      const fallback_policy = move.goesOn ? "use_default_and_continue" : "fail";
      const record = {
        id: `s${state.serial}`,
        question: "Q",
        response_type: "text",
        fallback_policy,
        ...timeout,
      };
      return [{ kind: "suspend_intent", intentId: at, record, made }];
    }
    case "answer":
    case "cancel": {
      const suspensionId = intent?.asker === undefined ? (intent?.suspension?.id ?? "none") : "any";
      if (move.kind === "cancel") return [{ kind: "cancel_suspension", intentId: at, suspensionId }];
      const value = intent?.suspension?.id.startsWith("checkpoint-") ? verdictOf(state) : "yes";
      return [{ kind: "respond_to_suspension", intentId: at, suspensionId, value, made }];
    }
    case "link":
    case "unlink": {
      const kind = move.kind === "link" ? "add_dependency" : "remove_dependency";
      return [{ kind, intentId: at, dependencyId: intentId(move.on), ifVersion }];
    }
    case "join": {
      const member = { id: `member_${state.serial}`, role: "member", priority: 0 } as const;
      return [{ kind: "add_member", portfolioId: portfolioId(move.p), intentId: at, member }];
    }
    case "leave":
      return [{ kind: "remove_member", portfolioId: portfolioId(move.p), intentId: at }];
    case "deadline": {
      const deadline = move.inMs === null ? null : new Date(state.now + move.inMs).toISOString();
      return [
        { kind: "change_portfolio", portfolioId: portfolioId(move.p), patch: { governance: { deadline } } },
      ];
    }
    case "task":
      return makeTask(move, at, state);
    case "work":
      return workOn(move, made);
    case "wait":
      state.now += move.ms;
      return [];
    case "plan":
    case "steer":
    case "sign":
    case "rewrite": {
      const after = move.kind === "plan" ? bodyOf(state.rows, "task", taskId(move.after)) : undefined;
      return planCommands(move, state.rows, bodies(state.rows, "task"), after);
    }
  }
}

/** Nothing is finished that was not begun. */
function workOn({ t: at, to }: Extract<Move, { kind: "work" }>, made: MadeHold): readonly BareCommand[] {
  const change = { kind: "change_task", taskId: taskId(at), patch: {}, made: [made] } as const;
  return to === "completed"
    ? [
        { ...change, to: "running" },
        { ...change, to },
      ]
    : [{ ...change, to }];
}

function verdictOf({ serial }: State): string {
  return serial % 2 === 0 ? "approve" : "deny";
}

function makeIntent(
  move: Extract<Move, { kind: "make" }>,
  at: string,
  state: State,
  gate: "strict" | "soft",
): readonly BareCommand[] {
  const dependsOn = move.on.map(intentId).filter((id) => bodyOf(state.rows, "intent", id) !== undefined);
  const parentId = move.under === null ? undefined : intentId(move.under);
  const isThere = parentId !== undefined && bodyOf(state.rows, "intent", parentId) !== undefined;
  const body = {
    id: at,
    title: at,
    description: "",
    dependsOn,
    constraints: {},
    state: {},
    confidence: 0,
  };
  return [
    {
      kind: "create_intent",
      intent: { ...body, ...(isThere ? { parentId } : {}), ...(gate === "soft" ? { gate } : {}) },
      ...(move.active ? { status: "active" } : {}),
    },
  ];
}

function makeTask(move: Extract<Move, { kind: "task" }>, at: string, state: State): readonly BareCommand[] {
  if (bodyOf(state.rows, "task", taskId(move.t)) !== undefined) return [];
  return [
    {
      kind: "create_task",
      intentId: at,
      task: {
        id: taskId(move.t),
        name: "t",
        description: null,
        priority: "normal",
        input: {},
        assignedAgent: null,
        capabilitiesRequired: [],
        dependsOn: move.on === null || move.on === move.t ? [] : [taskId(move.on)],
        parentTaskId: null,
        retryPolicy: null,
        timeoutMs: 10,
        maxAttempts: 3,
        permissions: null,
        memoryPolicy: null,
        requiresTools: [],
        metadata: move.executes === null ? {} : { executes_intent_id: intentId(move.executes) },
      },
    },
  ];
}

function bodies<K extends keyof Bodies>(rows: Rows, kind: K): readonly Bodies[K][] {
  return [...rows].filter(([name]) => name.startsWith(`${kind} `)).map(([, { body }]) => body as Bodies[K]);
}

export function checkContainers(rows: Rows, now: number): void {
  const intents = bodies(rows, "intent");
  assert(![...rows.values()].some(({ body }) => "behind" in body), "everything has followed");
  for (const intent of intents) {
    checkDependencies(intent, intents, rows);
    checkTasks(intent, rows);
    checkDeadline(intent, rows, now);
    checkTally(
      intents.filter(({ parentId }) => parentId === intent.id),
      bodyOf(rows, "tally", childCountsId(intent.id)),
    );
    const children = intents.filter(({ parentId }) => parentId === intent.id);
    const isWhole = children.every(({ status }) => status === "completed");
    assert(intent.status !== "completed" || isWhole, "a completed parent has completed children");
  }
  for (const portfolio of bodies(rows, "portfolio")) checkPortfolio(portfolio, intents, rows);
}

/** Rule 2, and that nobody waits for what is complete. */
function checkDependencies(intent: Intent, intents: readonly Intent[], rows: Rows): void {
  const upstream = intent.dependsOn.map((id) => bodyOf(rows, "intent", id) as Intent);
  const unmet = upstream.filter(({ status }) => status !== "completed").map(({ id }) => id);
  assert.deepEqual([...(intent.unmet ?? [])].toSorted(), unmet.toSorted(), "unmet dependencies");
  const suspended = upstream.some(({ status }) => status === SUSPENDED);
  assert(!(intent.status === "active" && suspended), "nobody works on what waits for a person");
  assert(
    !(intent.blockedBy === "dependencies" && unmet.length === 0),
    "nobody is blocked by what is complete",
  );
  assert(
    intent.blockedBy === undefined || intent.status === "blocked",
    "only who is blocked is blocked by something",
  );
  assert(intent.status !== "completed" || unmet.length === 0, "what is complete waits for nobody");
  const world = worldOf(rows);
  const listed = idsIn(dependentIds(intent), world).toSorted();
  const real = intents.filter(({ dependsOn }) => dependsOn.includes(intent.id)).map(({ id }) => id);
  assert.deepEqual(listed, real.toSorted(), "everybody who depends is listed, once");
}

/** Rule 3. */
function checkTasks(intent: Intent, rows: Rows): void {
  const own = bodies(rows, "task").filter(({ executes }) => executes === intent.id);
  assert.deepEqual(
    [...(intent.tasks ?? [])].toSorted(),
    own
      .filter(isLive)
      .map(({ id }) => id)
      .toSorted(),
    "live tasks",
  );
  for (const task of own) {
    const works = task.status === "running" || task.status === "claimed";
    assert(!(works && intent.status === SUSPENDED), "no task runs while its intent waits");
    assert(!(works && intent.status === "abandoned"), "no task runs on what was given up");
    const mirrored = task.suspendedIntentId !== null;
    assert(
      !mirrored || (task.status === "blocked" && intent.status === SUSPENDED),
      "a mirror shows what is there",
    );
    assert(task.dueAt === undefined || task.status === "running", "a task's clock runs while it does");
  }
}

/** Rule 5. */
function checkDeadline(intent: Intent, rows: Rows, now: number): void {
  const moments = (intent.portfolios ?? []).flatMap((id) => {
    const { deadlineAt } = bodyOf(rows, "portfolio", id) as Portfolio;
    return deadlineAt === undefined ? [] : [deadlineAt];
  });
  const earliest = moments.length === 0 ? undefined : Math.min(...moments);
  assert.equal(intent.deadlineAt, earliest, "the earliest deadline rules");
  const open = openSuspension(intent);
  const hold = open === undefined ? undefined : bodyOf(rows, "hold", open.holdId);
  assert(hold === undefined || hold.deadlineAt === earliest, "the question knows the deadline");
  assert(intent.status !== SUSPENDED || earliest === undefined || earliest > now, "nobody waits beyond it");
}

/** Rules 1 and 4: counted as they are, and nothing else changed by it. */
function checkPortfolio(portfolio: Portfolio, intents: readonly Intent[], rows: Rows): void {
  const members = intents.filter(({ portfolios = [] }) => portfolios.includes(portfolio.id));
  assert.equal(portfolio.status, "active", "a portfolio absorbs nothing");
  checkTally(members, bodyOf(rows, "tally", memberCountsId(portfolio.id)));
  const world = worldOf(rows);
  assert.deepEqual(
    idsIn(memberIds(portfolio), world).toSorted(),
    members.map(({ id }) => id).toSorted(),
    "members",
  );
  for (const { id, status } of members) {
    const marked = bodyOf(rows, "membership", membershipId(portfolio.id, id))?.suspended === true;
    assert.equal(marked, status === SUSPENDED, "a membership says who waits");
  }
}

function checkTally(members: readonly Intent[], tally: StatusCounts | undefined): void {
  for (const status of INTENT_STATUSES) {
    const real = members.filter((each) => each.status === status).length;
    assert.equal(tally?.counts[status] ?? 0, real, `how many are ${status}`);
  }
}
