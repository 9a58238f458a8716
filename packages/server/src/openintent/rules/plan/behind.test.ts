import { expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { type Given, given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, told } from "../../../testing/intent-samples.ts";
import type { Plan } from "./plan.ts";
import type { Task } from "./task.ts";

/** No room for rows that are needed only if there is room. */
const none = { by: DEV, room: 0 } as const;
const IDS = ["t1", "t2", "t3"];

const task = (id: string, part: Partial<Task> = {}) => {
  const body = {
    id,
    name: id,
    intentId: INTENT_ID,
    executes: INTENT_ID,
    status: "pending",
    version: 1,
    ...part,
  };
  return { kind: "task", id, body: { open: [], dependents: [], parentTaskId: null, ...body } } as never;
};
const plan = (part: Partial<Plan> = {}) => {
  const body = { id: "p1", intentId: INTENT_ID, state: "active", version: 1, tasks: IDS, open: 3, ...part };
  return { kind: "plan", id: body.id, body: { checkpoints: [], conditions: [], ...body } } as never;
};
const statuses = (now: Given) => IDS.map((id) => now.get("task", id)?.status);
const after = ({ step }: ReturnType<Given["when"]>) => {
  expect(step.decision.reply).toMatchObject({ ok: true });
  const rows = [...step.after].map(([name, { body }]) => {
    const [kind, id] = name.split(" ");
    return { kind, id, body } as never;
  });
  return Object.assign(given(...rows), { facts: step.decision.facts });
};

const complete = { kind: "change_task", taskId: "root", to: "completed", patch: {}, made: [] } as const;
const tickRoot = { kind: "tick_task", taskId: "root" } as const;
const root = task("root", { status: "running", dependents: IDS });

test("tasks that wait for one that is done become ready in several commits where there is no room for all (G13)", () => {
  const waiting = IDS.map((id) => task(id, { open: ["root"] }));
  const begun = after(given(intentRow({ tasks: ["root"] }), root, ...waiting).when(complete, none));
  expect(statuses(begun)).toEqual(["ready", "pending", "pending"]);
  expect(begun.get("task", "root")).toMatchObject({ status: "completed", behind: { tasks: ["t2", "t3"] } });
  const more = after(begun.when(tickRoot, none));
  expect(statuses(more)).toEqual(["ready", "ready", "pending"]);
  const all = after(more.when(tickRoot, none));
  expect([statuses(all), all.get("task", "root")?.behind]).toEqual([["ready", "ready", "ready"], undefined]);
  expect(after(all.when(tickRoot, none)).facts).toEqual([]);
});

test("tasks that execute another intent become ready, or are skipped, when the task that they wait for is done", () => {
  const planned = (id: string, part: Partial<Task>) => task(id, { planId: "p1", ...part });
  const waiting = IDS.map((id) => planned(id, { open: ["root"], executes: "other" }));
  const rows = [intentRow({ tasks: ["root"] }), intentRow({ id: "other" }), ...waiting];
  const first = planned("root", { status: "running", dependents: IDS });
  const condition = { id: "c1", taskId: "t2", when: "tasks['root'].output.go == true", otherwise: null };
  const whole = plan({ tasks: ["root", ...IDS], open: 4, conditions: [condition] });
  const all = after(given(...rows, first, whole).when(complete, { by: DEV }));
  expect(statuses(all)).toEqual(["ready", "skipped", "ready"]);
});

test("conditions of a plan skip its tasks also when the task that they wait for is not in the plan", () => {
  const planned = (id: string, part: Partial<Task> = {}) =>
    task(id, { planId: "p1", open: ["root"], status: "pending", ...part });
  const condition = (taskId: string) => ({
    id: taskId,
    taskId,
    when: "tasks['t3'].output.go == true",
    otherwise: null,
  });
  const conditions = [condition("t1"), condition("t2")];
  const rows = [intentRow({ tasks: ["root"] }), planned("t1"), planned("t2")];
  const t3 = planned("t3", { status: "completed", output: { go: false } });
  const first = task("root", { status: "running", dependents: ["t1", "t2"] });
  const done = after(given(...rows, first, t3, plan({ open: 2, conditions })).when(complete, { by: DEV }));
  expect(statuses(done)).toEqual(["skipped", "skipped", "completed"]);
  expect(done.get("plan", "p1")).toMatchObject({ state: "completed", open: 0 });
});

test("tasks of many plans with conditions become ready in several commits (G13)", () => {
  const ids = Array.from({ length: 10 }, (_, at) => `w${at}`);
  const tasks = ids.flatMap((id) => [
    task(id, { planId: `p${id}`, open: ["root"] }),
    task(`of-${id}`, { planId: `p${id}`, status: "completed" }),
  ]);
  const condition = (taskId: string) => ({ id: "c", taskId, when: "tasks['gone'].output", otherwise: null });
  const plans = ids.map((id) =>
    plan({ id: `p${id}`, tasks: [id, `of-${id}`], open: 1, conditions: [condition("another")] }),
  );
  const first = task("root", { status: "running", dependents: ids });
  const ready = (now: Given) => ids.filter((id) => now.get("task", id)?.status === "ready").length;
  const begun = after(
    given(intentRow({ tasks: ["root"] }), first, ...tasks, ...plans).when(complete, { by: DEV }),
  );
  expect(ready(begun)).toBe(4);
  const all = after(after(begun.when(tickRoot, { by: DEV })).when(tickRoot, { by: DEV }));
  expect([ready(all), all.get("task", "root")?.behind]).toEqual([10, undefined]);
});

test("a task that was cancelled meanwhile does not become ready", () => {
  const waiting = IDS.map((id) =>
    task(id, { open: ["root"], status: id === "t2" ? "cancelled" : "pending" }),
  );
  const done = task("root", { status: "completed", dependents: IDS, behind: { at: 0, tasks: ["t2", "t3"] } });
  const all = after(given(intentRow(), done, ...waiting).when(tickRoot, { by: DEV }));
  expect(statuses(all)).toEqual(["pending", "cancelled", "ready"]);
});

const cancel = { kind: "change_plan", planId: "p1", state: "cancelled", patch: {} } as const;
const tickPlan = { kind: "tick_plan", planId: "p1" } as const;

test("the tasks of a cancelled plan are cancelled in several commits where there is no room for all (G13)", () => {
  const tasks = [
    task("t1", { planId: "p1", status: "ready" }),
    task("t2", { planId: "p1", status: "completed" }),
    task("t3", { planId: "p1", executes: "other" }),
  ];
  const begun = after(given(intentRow(), intentRow({ id: "other" }), plan(), ...tasks).when(cancel, none));
  expect(statuses(begun)).toEqual(["cancelled", "completed", "pending"]);
  expect(begun.get("plan", "p1")).toMatchObject({ state: "cancelled", behind: { tasks: ["t2", "t3"] } });
  const more = after(begun.when(tickPlan, none));
  expect(more.get("plan", "p1")?.behind?.tasks).toEqual(["t3"]);
  const all = after(more.when(tickPlan, none));
  expect([statuses(all), all.get("plan", "p1")?.behind]).toEqual([
    ["cancelled", "completed", "cancelled"],
    undefined,
  ]);
  expect(told(all.facts)).toContain("task.cancelled");
  expect(after(all.when(tickPlan, none)).facts).toEqual([]);
});

test("a plan that is gone has no timer to fire", () => {
  given(intentRow()).when(tickPlan, none).refused("not_found");
});
