import { describe, expect, test } from "vitest";
import type { Bodies } from "../../../domains.ts";
import { SYSTEM } from "../../../kernel/principal.ts";
import type { Change } from "../../../kernel/world.ts";
import { AGENT, OPERATOR, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { type Decided, type Given, given } from "../../../testing/given.ts";
import { INTENT_ID, intentRow, subscription } from "../../../testing/intent-samples.ts";
import { planIn, taskIn } from "../../../testing/plan-samples.ts";
import type { PlanIn, TaskIn } from "../plan/commands.ts";
import type { Portfolio } from "../portfolio/portfolio.ts";
import type { AclEntry, Watcher } from "./intent.ts";
import { GUESTS_MAX, LISTENERS_MAX, LISTENERS_OF_ONE_MAX, MESSAGES_MAX } from "./listeners.ts";

function watchers(count: number, name = "somebody"): readonly Watcher[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${name}_${n}`,
    eventTypes: [],
    owner: { role: "agent", name },
  }));
}

const settingsOf = (listening: readonly Watcher[]) =>
  ({ kind: "workspace", id: "settings", body: { webhooks: [], watchers: listening } }) as const;

const portfolioOf = (listening: readonly Watcher[]) =>
  ({
    kind: "portfolio",
    id: "pf_1",
    body: {
      id: "pf_1",
      name: "All refunds",
      createdBy: AGENT.name,
      watchers: listening,
    } as unknown as Portfolio,
  }) as const;

const PLACES = [
  ["an intent", { intentId: INTENT_ID }, (list: readonly Watcher[]) => intentRow({ watchers: list })],
  ["a portfolio", { portfolioId: "pf_1" }, portfolioOf],
  ["a workspace", {}, settingsOf],
] as const;

describe.each(PLACES)("subscriptions to %s (G13)", (_name, where, listAt) => {
  const { owner: _owner, ownerKey: _key, active: _active, madeAt: _at, ...made } = subscription(where);
  const put = { kind: "put_subscription", subscription: made } as const;

  test("a subscription is refused with too_many once the list is full", () => {
    given(listAt(watchers(LISTENERS_MAX - 1)))
      .when(put, { by: OPERATOR })
      .then("subscription.made");
    given(listAt(watchers(LISTENERS_MAX)))
      .when(put, { by: OPERATOR })
      .refused("too_many");
  });

  test("several subscribers cannot use up the places that are kept for people and the creator", () => {
    given(listAt(watchers(GUESTS_MAX - 1)))
      .when(put, { by: OTHER_AGENT })
      .then("subscription.made");
    const crowded = given(listAt(watchers(GUESTS_MAX)));
    crowded.when(put, { by: OTHER_AGENT }).refused("too_many");
    crowded.when(put, { by: OPERATOR }).then("subscription.made");
    const creator = crowded.when(put, { by: AGENT });
    if (Object.keys(where).length === 0) creator.refused("too_many");
    else creator.then("subscription.made");
  });

  test("a subscriber at its own limit is refused with too_many, and other subscribers are not", () => {
    const full = given(listAt(watchers(LISTENERS_OF_ONE_MAX, AGENT.name)));
    full.when(put, { by: AGENT }).refused("too_many");
    full.when(put, { by: OTHER_AGENT }).then("subscription.made");
    full.when(put, { by: { ...OPERATOR, name: AGENT.name } }).then("subscription.made");
  });

  test("subscriptions without a webhook and the replaced subscription do not count towards the limit", () => {
    const { webhookUrl: _url, ...quiet } = made;
    const full = given(listAt([...watchers(LISTENERS_MAX - 1), ...watchers(1, made.id)]));
    full.when({ ...put, subscription: quiet }, { by: OPERATOR }).then("subscription.made");
    full
      .when({ ...put, subscription: { ...made, id: `${made.id}_0` } }, { by: OPERATOR })
      .then("subscription.made");
  });
});

test("attack 11: a subscription to the whole workspace leaves the settings alone, which every placed hold reads", () => {
  const { owner: _owner, ownerKey: _key, active: _active, madeAt: _at, ...made } = subscription();
  const after = given()
    .when({ kind: "put_subscription", subscription: made }, { by: AGENT })
    .then("subscription.made");
  expect(after.get("workspace", "settings")).toBeUndefined();
  expect(after.get("workspace_watchers", "all")?.watchers).toHaveLength(1);
});

test("a subscription stores the outbox lane of its messages", () => {
  const { owner: _owner, ownerKey: _key, active: _active, madeAt: _at, ...made } = subscription();
  const after = given()
    .when({ kind: "put_subscription", subscription: made }, { by: AGENT })
    .then("subscription.made");
  const { watchers: kept } = after.get("workspace_watchers", "all") ?? { watchers: [] };
  expect(kept).toMatchObject([{ id: "sub_1", lane: "example.com" }]);
});

test("expiring a subscription to a missing portfolio changes no watcher list", () => {
  const row = { kind: "subscription", id: "sub_1", body: subscription({ portfolioId: "pf_1" }) } as const;
  const after = given(row, settingsOf(watchers(2)))
    .when({ kind: "expire_subscription", subscriptionId: "sub_1" }, { by: SYSTEM })
    .then("subscription.expired");
  expect(after.get("workspace_watchers", "all")).toBeUndefined();
});

function entries(count: number, expiresAt?: number): readonly AclEntry[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `e${n}`,
    principalId: `agent-${n}`,
    principalType: "agent",
    permission: "read",
    grantedBy: "refunder",
    grantedAt: 0,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));
}

describe("the number of messages one change of an intent may send (G13)", () => {
  const on = { intentId: INTENT_ID } as const;
  const setAcl = (count: number) =>
    ({ kind: "set_acl", ...on, policy: "open", entries: entries(count) }) as const;
  const portfolios = ["pf_1", "pf_2"];

  test("an access list is refused with too_many when its events go to too many subscribers", () => {
    const all = [settingsOf(watchers(10)), portfolioOf(watchers(6))] as const;
    const intent = given(intentRow({ watchers: watchers(4), portfolios }), ...all);
    const most = MESSAGES_MAX / 20;
    intent.when(setAcl(most), { by: AGENT }).then(...Array(most).fill("intent.logged"));
    intent.when(setAcl(most + 1), { by: AGENT }).refused("too_many");
  });

  test("subscribers that may not read the intent do not count, unless the new list lets them", () => {
    const own = intentRow({ access: "owner", watchers: watchers(4, AGENT.name) });
    const intent = given(own, settingsOf(watchers(50)));
    const closed = { ...setAcl(500), policy: "closed" } as const;
    intent.when(closed, { by: AGENT }).then(...Array(500).fill("intent.logged"));
    intent.when(setAcl(500), { by: AGENT }).refused("too_many");
  });

  const many = Array.from({ length: 41 }, (_, n) => taskIn({ id: `t${n}` }));
  const plan = (count: number) =>
    ({ kind: "create_plan", ...on, plan: planIn({ newTasks: many.slice(0, count) }) }) as const;
  const accepted = ({ step, then }: Decided) => then(...step.decision.facts.map(({ fact }) => fact.type));
  const crowd = intentRow({ watchers: watchers(50) });
  /** The same start, with fifty subscribers from then on. */
  const crowded = (start: Given, ...ids: readonly string[]) => {
    const row = <K extends "plan" | "task">(kind: K, id: string) =>
      ({ kind, id, body: start.get(kind, id) }) as Change<Bodies>;
    return given(crowd, row("plan", "p1"), ...ids.map((id) => row("task", id)));
  };

  test("a plan is refused with too_many when it creates or cancels more tasks than the subscribers may be told of", () => {
    accepted(given(crowd).when(plan(39), { by: AGENT }));
    given(crowd).when(plan(40), { by: AGENT }).refused("too_many");
    const cancel = { kind: "change_plan", planId: "p1", patch: {}, state: "cancelled" } as const;
    const ids = many.map(({ id }) => id);
    const quiet = accepted(given(intentRow()).when(plan(41), { by: AGENT }));
    crowded(quiet, ...ids)
      .when(cancel, { by: AGENT })
      .refused("too_many");
    accepted(crowded(quiet, ...ids).when({ ...cancel, state: "active" }, { by: AGENT }));
    const small = accepted(given(intentRow()).when(plan(39), { by: AGENT }));
    accepted(crowded(small, ...ids.slice(0, 39)).when(cancel, { by: AGENT }));
  });

  test("completing a task is refused with too_many when it makes more tasks ready than the subscribers may be told of", () => {
    const first = taskIn({ id: "first" });
    const skipped = taskIn({ id: "skipped", dependsOn: ["first"] });
    const after = (id: string, count: number) =>
      many.slice(0, count).map((task) => ({ ...task, dependsOn: [id] }));
    const complete = { kind: "change_task", taskId: "first", to: "completed", patch: {}, made: [] } as const;
    const begun = (newTasks: readonly TaskIn[], conditions: PlanIn["conditions"] = []) => {
      const all = planIn({ newTasks, conditions });
      const made = accepted(
        given(intentRow()).when({ kind: "create_plan", ...on, plan: all }, { by: AGENT }),
      );
      const activate = { kind: "change_plan", planId: "p1", patch: {}, state: "active" } as const;
      const active = accepted(made.when(activate, { by: AGENT }));
      const running = accepted(active.when({ ...complete, to: "running" }, { by: AGENT }));
      return crowded(running, ...newTasks.map(({ id }) => id));
    };
    accepted(begun([first, ...after("first", 39)]).when(complete, { by: AGENT }));
    begun([first, ...after("first", 40)])
      .when(complete, { by: AGENT })
      .refused("too_many");
    const other = taskIn({ id: "other" });
    const both = after("first", 40).map((task) => ({ ...task, dependsOn: ["first", "other"] }));
    accepted(begun([first, other, ...both]).when(complete, { by: AGENT }));
    const chain = [first, skipped, ...after("skipped", 40)];
    accepted(begun(chain).when(complete, { by: AGENT }));
    const condition = {
      id: "c",
      taskId: "skipped",
      when: "tasks['first'].output.go == true",
      otherwise: "skip",
    };
    begun(chain, [condition]).when(complete, { by: AGENT }).refused("too_many");
  });

  test("an access list of 500 entries is accepted with and without a few subscribers", () => {
    given(intentRow())
      .when(setAcl(500), { by: AGENT })
      .then(...Array(500).fill("intent.logged"));
    given(intentRow({ watchers: watchers(4) }))
      .when(setAcl(500), { by: AGENT })
      .then(...Array(500).fill("intent.logged"));
  });

  test("granting access beyond 500 entries is refused with too_many", () => {
    const [entry] = entries(1);
    if (entry === undefined) throw new Error("no entry was made");
    const grant = { kind: "grant_access", ...on, entry: { ...entry, id: "new" } } as const;
    const acl = (count: number) => ({ acl: { policy: "open", entries: entries(count) } }) as const;
    given(intentRow(acl(499)))
      .when(grant, { by: AGENT })
      .then("intent.logged");
    given(intentRow(acl(500)))
      .when(grant, { by: AGENT })
      .refused("too_many");
  });

  test("access entries that expire together are logged in batches, one batch per tick", () => {
    const acl = { policy: "open", entries: entries(100, 10) } as const;
    const tick = { kind: "tick_intent", ...on } as const;
    let intent = given(intentRow({ acl, watchers: watchers(50) }));
    for (const left of [60, 20, 0]) {
      const before = intent.get("intent", INTENT_ID)?.acl?.entries.length ?? 0;
      intent = intent.when(tick, { by: SYSTEM, now: 20 }).then(...Array(before - left).fill("intent.logged"));
      expect(intent.get("intent", INTENT_ID)?.acl?.entries).toHaveLength(left);
    }
  });
});
