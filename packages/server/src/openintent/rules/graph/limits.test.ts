import { describe, expect, test } from "vitest";
import { DEV } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { INTENT_ID, intentBody, intentRow, MADE } from "../../../testing/intent-samples.ts";

const OTHER = "intent_00000000000000000000000002";
const other = { kind: "intent", id: OTHER, body: intentBody({ id: OTHER }) } as const;
const make = (part: object = {}) => ({
  kind: "create_intent" as const,
  intent: {
    id: "intent_00000000000000000000000009",
    title: "t",
    description: "",
    dependsOn: [],
    constraints: {},
    state: {},
    confidence: 0,
    ...part,
  },
});

test("the number of an intent's dependencies and the depth of nesting are limited", () => {
  const dependsOn = Array.from({ length: 100 }, (_, n) => `intent_${n}`);
  const add = { kind: "add_dependency", intentId: INTENT_ID, dependencyId: OTHER, ifVersion: 1 } as const;
  given(intentRow({ dependsOn }), other).when(add, { by: DEV }).refused("too_many");
  const path = Array.from({ length: 63 }, (_, n) => `intent_${n}`);
  given(intentRow({ path }))
    .when(make({ parentId: INTENT_ID }), { by: DEV })
    .refused("too_many");
});

describe("the intents that depend on one", () => {
  const page = (n: number, length: number) =>
    ({
      kind: "roll",
      id: `dependents\n${INTENT_ID}\n${n}`,
      body: { ids: Array.from({ length }, (_, at) => `intent_${n}_${at}`) },
    }) as const;
  const root = intentRow({ dependentPages: 4 });
  const pages = (...lengths: readonly number[]) => lengths.map((length, n) => page(n, length));
  const add = { kind: "add_dependency", intentId: OTHER, dependencyId: INTENT_ID, ifVersion: 1 } as const;
  const by = { by: DEV };

  test("are at most 1,000, because a change of it reaches all of them in one commit (G13)", () => {
    const open = [256, 256, 256, 232].flatMap((length, n) =>
      page(n, length).body.ids.map((id) => intentRow({ id, dependsOn: [INTENT_ID] })),
    );
    const full = given(root, other, ...pages(256, 256, 256, 232), ...open);
    full.when(make({ dependsOn: [INTENT_ID] }), by).refused("too_many");
    full.when(add, by).refused("too_many");
    const almost = given(root, other, ...pages(256, 256, 256, 231));
    almost.when(make({ dependsOn: [INTENT_ID] }), by).then("intent.logged");
    almost.when(add, by).then("intent.logged");
  });

  test("take the place of others that no longer do", () => {
    const after = given(root, other, ...pages(256, 255, 256, 231))
      .when(add, by)
      .then("intent.logged");
    expect(after.get("roll", page(1, 0).id)?.ids).toContain(OTHER);
    expect(after.get("intent", OTHER)?.places).toEqual({ [INTENT_ID]: 1 });
  });

  const ended = (status: "completed" | "abandoned") =>
    given(intentRow({ dependentPages: 4, status }), other, ...pages(256, 256, 256, 232));

  test.each(["completed", "abandoned"] as const)(
    "are not limited once it is %s, because nothing reaches them any more; a full list stays as it is (G13)",
    (status) => {
      const made = ended(status)
        .when(make({ dependsOn: [INTENT_ID] }), by)
        .then("intent.logged");
      expect(made.get("intent", "intent_00000000000000000000000009")).toMatchObject({
        dependsOn: [INTENT_ID],
      });
      expect(made.get("intent", "intent_00000000000000000000000009")?.places).toBeUndefined();
      const leave = {
        ...add,
        kind: "remove_dependency",
        intentId: "intent_00000000000000000000000009",
      } as const;
      expect(made.when(leave, by).then("intent.logged").get("intent", leave.intentId)?.dependsOn).toEqual([]);
      const added = ended(status).when(add, by).then("intent.logged");
      expect(added.get("intent", OTHER)).toMatchObject({ dependsOn: [INTENT_ID], places: {} });
      const remove = { ...add, kind: "remove_dependency", ifVersion: 2 } as const;
      const removed = added.when(remove, by).then("intent.logged");
      expect(removed.get("intent", OTHER)?.dependsOn).toEqual([]);
    },
  );

  test("that ended, or are gone, give their places to others once the list is full (G13)", () => {
    const ids = (n: number) => page(n, 256).body.ids;
    const dependents = [0, 1, 2, 3].flatMap((n) =>
      page(n, n === 3 ? 232 : 256).body.ids.map((id) => intentRow({ id, dependsOn: [INTENT_ID] })),
    );
    const rows = dependents.filter(({ id }) => id !== "intent_2_7");
    const gone = rows.map((row) =>
      row.id === "intent_1_5" || row.id === "intent_1_6"
        ? { ...row, body: { ...row.body, status: "abandoned" as const } }
        : row,
    );
    const full = given(root, other, ...pages(256, 256, 256, 232), ...gone);
    const after = full.when(add, by).then("intent.logged");
    expect(after.get("intent", OTHER)?.places).toEqual({ [INTENT_ID]: 1 });
    expect(after.get("roll", page(1, 0).id)?.ids).toEqual([
      ...ids(1).filter((id) => id !== "intent_1_5" && id !== "intent_1_6"),
      OTHER,
    ]);
  });

  test("go on working where an earlier version let more of them in", () => {
    const ids = Array.from({ length: 1_200 }, (_, at) => `intent_${at}`);
    const lists = Array.from({ length: 5 }, (_, n) => ({
      ...page(n, 0),
      body: { ids: ids.slice(n * 256, (n + 1) * 256) },
    }));
    const dependents = ids.map((id) => intentRow({ id, dependsOn: [INTENT_ID], unmet: [INTENT_ID] }));
    const complete = { kind: "set_status", intentId: INTENT_ID, status: "completed", ifVersion: 1 } as const;
    const { step } = given(intentRow({ dependentPages: 5 }), ...lists, ...dependents).when(
      { ...complete, made: MADE },
      by,
    );
    expect(step.decision.reply.ok).toBe(true);
    expect(step.decision.facts.filter(({ fact }) => fact.type === "intent.changed")).toHaveLength(1_200);
  });
});

test("an intent created with an incomplete dependency lists it as unmet", () => {
  const made = given(intentRow()).when(make({ dependsOn: [INTENT_ID] }), { by: DEV });
  const dependent = made.then("intent.logged").get("intent", "intent_00000000000000000000000009");
  expect(dependent?.unmet).toEqual([INTENT_ID]);
});

test("the number of portfolios an intent can be in is limited", () => {
  const portfolios = Array.from({ length: 50 }, (_, n) => `p${n}`);
  const portfolio = {
    id: "p1x",
    name: "p",
    description: null,
    namespace: null,
    metadata: {},
    governance: {},
  };
  const member = { id: "m", role: "member", priority: 0 } as const;
  given(intentRow({ portfolios }))
    .when({ kind: "create_portfolio", portfolio }, { by: DEV })
    .then("portfolio.made")
    .when({ kind: "add_member", portfolioId: "p1x", intentId: INTENT_ID, member }, { by: DEV })
    .refused("too_many");
  given(intentRow(), other)
    .when(
      { kind: "set_status", intentId: INTENT_ID, status: "completed", ifVersion: 1, made: MADE },
      { by: DEV },
    )
    .then("intent.logged");
});
