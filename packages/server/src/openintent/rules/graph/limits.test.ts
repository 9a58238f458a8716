import { expect, test } from "vitest";
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
