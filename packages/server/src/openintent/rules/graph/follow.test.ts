import { describe, expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { type Given, given } from "../../../testing/given.ts";
import { INTENT_ID, intentBody, intentRow, MADE, RECORD, told } from "../../../testing/intent-samples.ts";
import { type Intent, type IntentStatus, SUSPENDED } from "../intent/intent.ts";
import { intentDueAt } from "../intent/tick.ts";
import { planDueAt } from "../plan/plan.ts";
import { type Task, taskDueAt } from "../plan/task.ts";

const IDS = ["d1", "d2", "d3"];
const page = { kind: "roll", id: `dependents\n${INTENT_ID}\n0`, body: { ids: IDS } } as const;
const upstream = (part: Partial<Intent> = {}) => intentRow({ dependentPages: 1, ...part });
const dependents = (part: Partial<Intent> = {}) =>
  IDS.map((id) =>
    intentRow({ id, dependsOn: [INTENT_ID], unmet: [INTENT_ID], places: { [INTENT_ID]: 0 }, ...part }),
  );

/** No room for rows that are needed only if there is room. */
const none = { by: DEV, room: 0 } as const;
const to = (status: IntentStatus) =>
  ({ kind: "set_status", intentId: INTENT_ID, status, ifVersion: 1, made: MADE }) as const;
const tick = { kind: "tick_intent", intentId: INTENT_ID } as const;
const suspend = { kind: "suspend_intent", intentId: INTENT_ID, record: RECORD, made: MADE } as const;
const answer = {
  kind: "answer_hold",
  holdId: "h1",
  action: "select",
  data: { selected: ["approve"] },
  door: "rest",
} as const;

const after = ({ step }: ReturnType<Given["when"]>) => {
  expect(step.decision.reply).toMatchObject({ ok: true });
  const { facts } = step.decision;
  const rows = [...step.after].map(([name, { body }]) => {
    const [kind, ...id] = name.split(" ");
    return { kind, id: id.join(" "), body } as never;
  });
  return Object.assign(given(...rows), { facts });
};
const statuses = (now: Given, ids = IDS) => ids.map((id) => now.get("intent", id)?.status);
const behind = (now: Given) => now.get("intent", INTENT_ID)?.behind;

test("what is left behind is due at once, whatever else is due later", () => {
  const behind = { at: 500, dependents: ["d1"], tasks: [] };
  const lease = { status: "active", expiresAt: 900 } as never;
  expect(intentDueAt(intentBody({ behind, leases: [lease] }))).toBe(500);
  expect(intentDueAt(intentBody({ leases: [lease] }))).toBe(900);
  expect(intentDueAt(intentBody())).toBeNull();
  const left = { at: 500, tasks: ["t1"] };
  expect([{ behind: left, dueAt: 900 }, { dueAt: 900 }, {}].map((part) => taskDueAt(part as never))).toEqual([
    500,
    900,
    null,
  ]);
  expect([{ behind: left }, {}].map((part) => planDueAt(part as never))).toEqual([500, null]);
});

describe("intents that depend on one whose status changed", () => {
  test("follow its completion in several commits where there is no room for all of them (G13)", () => {
    const waiting = dependents({ status: "blocked", blockedBy: "dependencies" });
    const begun = after(given(upstream(), page, ...waiting).when(to("completed"), none));
    expect(statuses(begun)).toEqual(["active", "blocked", "blocked"]);
    expect(behind(begun)).toMatchObject({ dependents: ["d2", "d3"], tasks: [] });
    const more = after(begun.when(tick, none));
    expect([statuses(more), behind(more)?.dependents]).toEqual([["active", "active", "blocked"], ["d3"]]);
    const all = after(more.when(tick, none));
    expect([statuses(all), behind(all)]).toEqual([["active", "active", "active"], undefined]);
    expect(after(all.when(tick, none)).facts).toEqual([]);
  });

  test("follow in one commit where there is room (G13)", () => {
    const all = after(given(upstream(), page, ...dependents()).when(to(SUSPENDED), { by: DEV }));
    expect([statuses(all), behind(all)]).toEqual([["blocked", "blocked", "blocked"], undefined]);
  });

  test("are all there for the next command on it, which waits for them", () => {
    const begun = after(given(upstream(), page, ...dependents()).when(to(SUSPENDED), none));
    expect(statuses(begun)).toEqual(["blocked", "active", "active"]);
    const cancel = { kind: "cancel_suspension", intentId: INTENT_ID, suspensionId: "any" } as const;
    const ended = after(begun.when(cancel, none));
    expect([statuses(ended), behind(ended)]).toEqual([["blocked", "blocked", "blocked"], undefined]);
  });

  test("do not follow a suspension that has ended meanwhile", () => {
    const begun = after(given(upstream(), page, ...dependents()).when(suspend, none));
    expect(statuses(begun)).toEqual(["blocked", "active", "active"]);
    const answered = after(begun.when(answer, { room: 0 }));
    const ticked = after(answered.when(tick, none));
    expect([statuses(ticked), behind(ticked)]).toEqual([["blocked", "active", "active"], undefined]);
  });

  test("do not follow when they no longer depend on it", () => {
    const begun = after(given(upstream(), page, ...dependents()).when(to(SUSPENDED), none));
    const leave = {
      kind: "remove_dependency",
      intentId: "d2",
      dependencyId: INTENT_ID,
      ifVersion: 1,
    } as const;
    const left = after(begun.when(leave, none));
    const all = after(left.when(tick, { by: DEV }));
    expect([statuses(all), behind(all)]).toEqual([["blocked", "active", "blocked"], undefined]);
  });

  test("are told apart from rows that are gone", () => {
    const begun = after(given(upstream(), page, ...dependents().slice(0, 2)).when(to(SUSPENDED), none));
    const all = after(begun.when(tick, { by: DEV }));
    expect([statuses(all), behind(all)]).toEqual([["blocked", "blocked", undefined], undefined]);
  });

  test("are listed by the coordinator that pauses them as they follow, and none where it pauses none", () => {
    const body = {
      id: "c1",
      intentId: INTENT_ID,
      portfolioId: null,
      agentId: "lead",
      supervisorId: null,
      status: "active",
      suspensionPolicy: "block_dependents",
    } as never;
    const lead = { kind: "coordinator", id: "c1", body } as const;
    const [d1, d2, d3] = dependents({ status: "draft" });
    const wired = (row: ReturnType<typeof intentRow> | undefined) => ({
      ...row,
      body: { ...row?.body, state: { _io_inputs: { total: `${intentBody().title}.total` } } },
    });
    const all = given(
      upstream({ coordinatorId: "c1" }),
      lead,
      page,
      d1 as never,
      wired(d2) as never,
      d3 as never,
    );
    const begun = after(all.when(to(SUSPENDED), none));
    expect(told(begun.facts).filter((type) => type.includes("coordinator"))).toHaveLength(1);
    const more = after(begun.when(tick, none));
    expect(statuses(more)).toEqual(["draft", "blocked", "draft"]);
    expect(told(more.facts).filter((type) => type.includes("coordinator"))).toHaveLength(1);
    const last = after(more.when(tick, none));
    expect([behind(last), told(last.facts).filter((type) => type.includes("coordinator"))]).toEqual([
      undefined,
      [],
    ]);
  });
});

describe("tasks that execute an intent whose status changed", () => {
  const TASKS = ["t1", "t2", "t3"];
  const tasks = (part: Partial<Task> = {}) =>
    TASKS.map((id) => {
      const body = { id, intentId: INTENT_ID, executes: INTENT_ID, status: "running", version: 1, ...part };
      return { kind: "task", id, body } as never;
    });
  const busy = (part: Partial<Task> = {}) => given(intentRow({ tasks: TASKS }), ...tasks(part));
  const works = (now: Given) => TASKS.map((id) => now.get("task", id)?.status);

  test("are blocked, and run again, in several commits where there is no room for all of them (G13)", () => {
    const begun = after(busy().when(suspend, none));
    expect([works(begun), behind(begun)?.tasks]).toEqual([
      ["blocked", "running", "running"],
      ["t2", "t3"],
    ]);
    const blocked = after(after(begun.when(tick, none)).when(tick, none));
    expect([works(blocked), behind(blocked)]).toEqual([["blocked", "blocked", "blocked"], undefined]);
    const answered = after(blocked.when(answer, { room: 0 }));
    expect(behind(answered)).toMatchObject({ tasks: ["t2", "t3"], resolution: "responded" });
    const ticked = after(answered.when(tick, none));
    const [unblocked] = ticked.facts.filter(({ fact }) => fact.type === "intent.logged");
    expect(unblocked?.fact).toMatchObject({ entry: { payload: { task_id: "t2", resolution: "responded" } } });
    const all = after(ticked.when(tick, none));
    expect([works(all), behind(all)]).toEqual([["running", "running", "running"], undefined]);
  });

  test("go on where the intent does before all of them were blocked", () => {
    const begun = after(busy().when(suspend, none));
    const answered = after(begun.when(answer, { room: 0 }));
    const all = after(after(answered.when(tick, none)).when(tick, none));
    expect([works(all), behind(all)]).toEqual([["running", "running", "running"], undefined]);
  });

  test("are cancelled in several commits when the intent is abandoned (G13)", () => {
    const begun = after(busy().when({ ...to("abandoned"), reason: "enough" }, none));
    expect(works(begun)).toEqual(["cancelled", "running", "running"]);
    const ended = { ...begun.get("task", "t2"), status: "completed" };
    const intent = begun.get("intent", INTENT_ID) as Intent;
    const rows = [
      intentRow({ ...intent, tasks: ["t3"] }),
      { kind: "task", id: "t2", body: ended } as never,
      { kind: "task", id: "t3", body: begun.get("task", "t3") } as never,
    ];
    const all = after(given(...rows).when(tick, none));
    expect(["t2", "t3"].map((id) => all.get("task", id)?.status)).toEqual(["completed", "cancelled"]);
    expect(behind(all)).toBeUndefined();
    expect(all.facts.find(({ fact }) => fact.type === "intent.logged")?.fact).toMatchObject({
      entry: { payload: { task_id: "t3", reason: "enough" } },
    });
  });

  test("wait for room for the intent that planned them (G13)", () => {
    const planner = intentRow({ id: "planner", portfolios: ["p1"], helpers: {} });
    const elsewhere = given(intentRow({ tasks: TASKS }), planner, ...tasks({ intentId: "planner" }));
    const begun = after(elsewhere.when(suspend, { by: DEV, room: 1 }));
    expect([works(begun), behind(begun)?.tasks]).toEqual([["blocked", "blocked", "running"], ["t3"]]);
  });
});
