import { expect, test } from "vitest";
import { DEV, OTHER_AGENT } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow } from "../../../testing/intent-samples.ts";
import { whyNoOutputs } from "../workflow/outputs.ts";

const portfolio = { id: "p1", name: "p", description: null, namespace: null, metadata: {} };
const governance = { deadline: "2100-01-01T00:00:00Z" };
const create = { kind: "create_portfolio", portfolio: { ...portfolio, governance } } as const;
const where = { portfolioId: "p1", intentId: INTENT_ID } as const;
const member = { id: "m1", role: "member", priority: 0 } as const;

test("renaming a portfolio keeps its deadline, and only a principal with write access can remove a member", () => {
  const made = given(intentRow({ acl: closedFor(["refunder", "admin"]) }))
    .when(create, { by: DEV })
    .then("portfolio.made");
  const renamed = made
    .when({ kind: "change_portfolio", portfolioId: "p1", patch: { name: "q" } }, { by: DEV })
    .then("portfolio.changed");
  expect(renamed.get("portfolio", "p1")).toMatchObject({ name: "q", deadlineAt: 4102444800000 });
  made
    .when({ kind: "change_portfolio", portfolioId: "p1", patch: {} }, { by: OTHER_AGENT })
    .refused("not_allowed");
  const joined = renamed
    .when({ kind: "add_member", ...where, member }, { by: DEV })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  joined.when({ kind: "remove_member", ...where }, { by: OTHER_AGENT }).refused("not_allowed");
});

test("a portfolio's later deadline does not move a member whose other portfolio ends earlier", () => {
  const second = { ...portfolio, id: "p2", governance: { deadline: "2100-06-01T00:00:00Z" } };
  const joined = given(intentRow())
    .when(create, { by: DEV })
    .then("portfolio.made")
    .when({ kind: "create_portfolio", portfolio: second }, { by: DEV })
    .then("portfolio.made")
    .when({ kind: "add_member", ...where, member }, { by: DEV })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged")
    .when({ kind: "add_member", ...where, portfolioId: "p2", member: { ...member, id: "m2" } }, { by: DEV })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  const later = { governance: { deadline: "2101-01-01T00:00:00Z" } };
  const moved = joined
    .when({ kind: "change_portfolio", portfolioId: "p2", patch: later }, { by: DEV })
    .then("portfolio.changed");
  expect(moved.get("intent", INTENT_ID)).toMatchObject({ deadlineAt: 4102444800000 });
});

test("an output declared without a type accepts any value", () => {
  const { body } = intentRow({ state: { _io_outputs: { a: {}, b: "" } } });
  expect(whyNoOutputs(body as never, "t", { a: 1, b: 2 })).toBeNull();
});
