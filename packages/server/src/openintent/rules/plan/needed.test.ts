import { expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { type Given, given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, MADE } from "../../../testing/intent-samples.ts";
import { planIn, taskIn } from "../../../testing/plan-samples.ts";

const by = { by: DEV };

/** Runs every command and expects each to be accepted. */
function after(start: Given, ...commands: readonly Parameters<Given["when"]>[0][]): Given {
  return commands.reduce<Given>((state, command) => {
    const { step } = state.when(command, by);
    return state.when(command, by).then(...step.decision.facts.map(({ fact }) => fact.type));
  }, start);
}

const move = (to: "running" | "completed", patch: object = {}) =>
  ({ kind: "change_task", taskId: "t1", to, patch, made: [MADE] }) as const;

test("all tasks of a name fulfil all conditions on it, and a condition reads the first task of the name it gives", () => {
  const condition = (id: string, taskId: string, n: number) =>
    ({ id, taskId, when: `tasks['audit'].output.n == ${n}`, otherwise: "skip" }) as const;
  const conditions = [
    condition("c1", "ship", 1),
    condition("c2", "ship", 2),
    condition("c3", "t4", 1),
    condition("c4", "report", 1),
  ];
  const next = (id: string, name: string) => taskIn({ id, name, dependsOn: ["t1"] });
  const newTasks = [
    taskIn(),
    next("t2", "ship"),
    next("t3", "ship"),
    next("t4", "audit"),
    next("t5", "report"),
  ];
  const made = after(
    given(intentRow()),
    { kind: "create_plan", intentId: INTENT_ID, plan: planIn({ newTasks, conditions }) },
    { kind: "change_plan", planId: "p1", patch: {}, state: "active" },
    move("running"),
    move("completed", { output: { n: 1 } }),
  );
  const statuses = ["t2", "t3", "t4", "t5"].map((id) => made.get("task", id)?.status);
  expect(statuses).toEqual(["skipped", "skipped", "ready", "ready"]);
});
