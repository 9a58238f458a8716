import { expect, test } from "vitest";
import { AGENT, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { type Decided, given } from "../../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow, lease, MADE } from "../../../testing/intent-samples.ts";
import { planIn, taskIn } from "../../../testing/plan-samples.ts";
import { may } from "../intent/who.ts";
import type { TaskIn } from "./commands.ts";

const OTHER = "intent_00000000000000000000000002";
/** An intent of `refunder`, to which `stranger` may write. */
const shared = intentRow({ access: "owner", acl: closedFor(["stranger", "write"]) });
const by = { by: AGENT };
const writer = { by: OTHER_AGENT };

const create = (part: Partial<TaskIn> = {}, intentId = INTENT_ID) =>
  ({ kind: "create_task", intentId, task: taskIn(part) }) as const;
const change = (patch: object, more: object = {}) =>
  ({ kind: "change_task", taskId: "t1", patch, made: [MADE], ...more }) as const;
const claim = (patch: object = {}) => change(patch, { to: "claimed" });
const named = { assignedAgent: OTHER_AGENT.name };
const accepted = ({ step, then }: Decided) => then(...step.decision.facts.map(({ fact }) => fact.type));
const abandon = {
  kind: "set_status",
  intentId: INTENT_ID,
  status: "abandoned",
  ifVersion: 1,
  made: MADE,
} as const;

test("an agent that may only write names no agent in a task, a plan, a patch or a delegation, not even itself", () => {
  const plan = planIn({ newTasks: [taskIn(named)] });
  const start = given(shared);
  start.when(create(named), writer).refused("not_allowed");
  start.when({ kind: "create_plan", intentId: INTENT_ID, plan }, writer).refused("not_allowed");
  const open = accepted(start.when(create(), by));
  open.when(change(named), writer).refused("not_allowed");
  open.when(claim({ assignedAgent: "third" }), writer).refused("not_allowed");
  const taken = accepted(open.when(claim(), writer));
  const subTask = taskIn({ id: "t2", parentTaskId: "t1", ...named });
  taken.when({ kind: "delegate_task", taskId: "t1", subTask }, writer).refused("not_allowed");
  const nobody = { ...subTask, assignedAgent: null };
  accepted(taken.when({ kind: "delegate_task", taskId: "t1", subTask: nobody }, writer));
});

test.each([
  ["an entry of the access list", shared],
  ["a lease", intentRow({ access: "owner", leases: [lease({ agentId: OTHER_AGENT.name })] })],
])("an agent with %s takes a task itself, and the task gives it no access", (_name, row) => {
  const open = accepted(given(row).when(create(), by));
  const taken = accepted(open.when(claim(named), writer));
  expect(taken.get("task", "t1")).toMatchObject({ status: "claimed", ...named, access: "own" });
  expect(taken.get("intent", INTENT_ID)?.workers ?? {}).toEqual({});
  taken.when(abandon, writer).refused("not_allowed");
  const again = accepted(taken.when(change(named, { to: "claimed", ifVersion: 2 }), writer));
  expect(again.get("task", "t1")?.access).toBe("own");
  const finished = accepted(again.when(change({}, { to: "completed", started: true }), writer));
  expect(finished.get("task", "t1")?.status).toBe("completed");
});

test("a task that an agent took itself gives it access once its owner names the agent, and takes it back with the name", () => {
  const open = accepted(given(shared).when(create(), by));
  const taken = accepted(open.when(claim(), writer));
  const renamed = accepted(taken.when(change({ priority: "high" }), by));
  expect(renamed.get("task", "t1")?.access).toBe("own");
  const granted = accepted(renamed.when(change(named), by));
  expect(granted.get("intent", INTENT_ID)?.workers).toEqual({ t1: OTHER_AGENT.name });
  accepted(granted.when(abandon, writer));
  const freed = accepted(granted.when(change({ assignedAgent: null }), by));
  expect(freed.get("intent", INTENT_ID)?.workers).toEqual({});
});

test("an agent that may only write to an intent gets no more by a task of its own that executes it", () => {
  const own = intentRow({ id: OTHER, createdBy: OTHER_AGENT.name, access: "owner" });
  const metadata = { executes_intent_id: INTENT_ID };
  const start = given(shared, own);
  start.when(create({ ...named, metadata }, OTHER), writer).refused("not_allowed");
  const taken = accepted(accepted(start.when(create({ metadata }, OTHER), writer)).when(claim(), writer));
  expect(taken.get("intent", INTENT_ID)?.workers ?? {}).toEqual({});
  taken.when(abandon, writer).refused("not_allowed");
});

test("an agent that may only write names an agent that may work on the intent anyway, and the owner names anyone", () => {
  const start = given(intentRow({ ...shared.body, agents: ["third"] }));
  accepted(start.when(create({ assignedAgent: "third" }), writer));
  const planned = accepted(start.when(create(named), by));
  const intent = planned.get("intent", INTENT_ID) ?? shared.body;
  expect(may({ ...intent, acl: closedFor() }, OTHER_AGENT, "write", 0)).toBe(true);
});

test("every agent that may write names agents on an intent from before intents had an owner, and gains nothing", () => {
  const legacy = intentRow({ acl: closedFor(["stranger", "write"]) });
  const planned = accepted(given(legacy).when(create(named), writer));
  planned.when(abandon, writer).refused("not_allowed");
});

test("at most 1,000 tasks of an intent name an agent, and an agent that takes a task itself needs no name (G13)", () => {
  const tasks = Array.from({ length: 1_000 }, (_, at) => [`old${at}`, "auditor"]);
  const all: Readonly<Record<string, string>> = Object.fromEntries(tasks);
  const elsewhere = { metadata: { executes_intent_id: OTHER } };
  const full = accepted(
    given(intentRow({ workers: all, helpers: all }), intentRow({ id: OTHER })).when(create(), by),
  );
  full.when(create({ id: "t2", ...named }), by).refused("too_many");
  full.when(create({ id: "t2", ...named, ...elsewhere }), by).refused("too_many");
  full.when(change(named), by).refused("too_many");
  const claimed = accepted(full.when(claim(), by));
  expect(claimed.get("task", "t1")).toMatchObject({ assignedAgent: AGENT.name, access: "own" });
  const { old0: _freed, ...rest } = all;
  const known = accepted(given(intentRow({ workers: rest })).when(create(named), by));
  accepted(known.when(change({ assignedAgent: "third" }), by));
});

test("claiming a task whose agent was named before counts towards the 1,000 of the intent that it executes (G13)", () => {
  const elsewhere = { metadata: { executes_intent_id: OTHER } };
  const listed = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`old${at}`, "auditor"]));
  const planned = (count: number) => {
    const executed = intentRow({ id: OTHER, workers: listed(count) });
    const made = accepted(given(intentRow(), executed).when(create({ ...named, ...elsewhere }), by));
    const more = {
      kind: "intent",
      id: OTHER,
      body: { ...executed.body, workers: listed(count + 1) },
    } as const;
    return { made, task: made.get("task", "t1") as NonNullable<ReturnType<typeof made.get<"task">>>, more };
  };
  const { made, task, more } = planned(999);
  const claimed = accepted(made.when(claim(), { by: OTHER_AGENT }));
  expect(Object.keys(claimed.get("intent", OTHER)?.workers ?? {})).toHaveLength(1_000);
  const full = given(
    intentRow({ helpers: { t1: OTHER_AGENT.name } }),
    { ...more, body: { ...more.body } },
    { kind: "task", id: "t1", body: task },
  );
  full.when(claim(), { by: OTHER_AGENT }).refused("too_many");
  const own = given(intentRow(), more, {
    kind: "task",
    id: "t1",
    body: { ...task, assignedAgent: AGENT.name, access: "own" },
  });
  accepted(own.when(claim(), by));
});

test("an intent names no agent of a task that ended before it was claimed", () => {
  const elsewhere = { metadata: { executes_intent_id: OTHER } };
  const made = accepted(
    given(intentRow(), intentRow({ id: OTHER })).when(create({ ...named, ...elsewhere }), by),
  );
  const cancelled = accepted(made.when({ ...claim(), to: "cancelled" }, by));
  expect(cancelled.get("task", "t1")?.status).toBe("cancelled");
  expect(cancelled.get("intent", OTHER)?.workers ?? {}).toEqual({});
  expect(cancelled.get("intent", INTENT_ID)?.helpers).toEqual({ t1: OTHER_AGENT.name });
});

test("the tasks of one plan count together towards the tasks that name an agent or depend on one task (G13)", () => {
  const listed = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`old${at}`, "auditor"]));
  const elsewhere = { metadata: { executes_intent_id: OTHER } };
  const plan = (...newTasks: readonly ReturnType<typeof taskIn>[]) =>
    ({ kind: "create_plan", intentId: INTENT_ID, plan: planIn({ newTasks }) }) as const;
  for (const part of [named, { ...named, ...elsewhere }]) {
    const start = given(intentRow({ workers: listed, helpers: listed }), intentRow({ id: OTHER }));
    accepted(start.when(plan(taskIn({ id: "t1", ...part }), taskIn({ id: "t2" })), by));
    start.when(plan(taskIn({ id: "t1", ...part }), taskIn({ id: "t2", ...part })), by).refused("too_many");
  }
  const made = accepted(given(intentRow()).when(create(), by));
  const task = made.get("task", "t1") as NonNullable<ReturnType<typeof made.get<"task">>>;
  const body = { ...task, dependents: Object.keys(listed) };
  const having = given(intentRow(), { kind: "task", id: "t1", body });
  const next = (id: string) => taskIn({ id, dependsOn: ["t1"] });
  accepted(having.when(plan(next("t2"), taskIn({ id: "t3" })), by));
  having.when(plan(next("t2"), next("t3")), by).refused("too_many");
});

test("at most 1,000 tasks depend on one task (G13)", () => {
  const made = accepted(given(intentRow()).when(create(), by));
  const task = made.get("task", "t1") as NonNullable<ReturnType<typeof made.get<"task">>>;
  const having = (count: number) => {
    const dependents = Array.from({ length: count }, (_, at) => `d${at}`);
    return given(intentRow(), { kind: "task", id: "t1", body: { ...task, dependents } });
  };
  having(1_000)
    .when(create({ id: "t2", dependsOn: ["t1"] }), by)
    .refused("too_many");
  accepted(having(999).when(create({ id: "t2", dependsOn: ["t1"] }), by));
});
