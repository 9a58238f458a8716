import { describe, expect, test } from "vitest";
import { type Principal, SYSTEM } from "../../../kernel/principal.ts";
import { AGENT, DEV, OTHER_AGENT, WORKSPACE } from "../../../testing/core-samples.ts";
import { given } from "../../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow } from "../../../testing/intent-samples.ts";
import { memberCountsId } from "../graph/status-counts.ts";
import type { Intent } from "../intent/intent.ts";
import { whyNoOutputs } from "../workflow/outputs.ts";
import type { World } from "../world.ts";
import { changeNeeds } from "./decide.ts";
import { MEMBERS_MAX } from "./members.ts";
import { membershipId, type Portfolio, portfolioDueAt } from "./portfolio.ts";

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
  joined.when({ kind: "remove_member", ...where, portfolioId: "none" }, { by: DEV }).refused("not_found");
});

test("an agent adds no intent to the portfolio of another, unless the portfolio is from before portfolios had an owner", () => {
  const theirs = intentRow({ createdBy: OTHER_AGENT.name, access: "owner" });
  const made = given(theirs).when(create, { by: AGENT }).then("portfolio.made");
  const add = { kind: "add_member", ...where, member } as const;
  made.when(add, { by: OTHER_AGENT }).refused("not_allowed");
  made.when(add, { by: AGENT }).refused("not_allowed");
  const { access, ...legacy } = made.get("portfolio", "p1") as Portfolio;
  expect(access).toBe("owner");
  const joined = given(theirs, { kind: "portfolio", id: "p1", body: legacy })
    .when(add, { by: OTHER_AGENT })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  joined
    .when({ kind: "remove_member", ...where }, { by: AGENT })
    .then("portfolio.member_removed", "status_counts.moved", "intent.logged");
});

test("an intent that joined its portfolio before the owners of portfolios were recorded can leave it", () => {
  const joined = given(intentRow())
    .when(create, { by: DEV })
    .then("portfolio.made")
    .when({ kind: "add_member", ...where, member }, { by: DEV })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  const { portfolioOwners: _unrecorded, ...earlier } = joined.get("intent", INTENT_ID) as Intent;
  const row = <K extends "portfolio" | "membership" | "tally">(kind: K, id: string) => {
    const body = joined.get(kind, id) as NonNullable<ReturnType<typeof joined.get<K>>>;
    return { kind, id, body };
  };
  const left = given(
    { kind: "intent", id: INTENT_ID, body: earlier },
    row("portfolio", "p1"),
    row("membership", membershipId("p1", INTENT_ID)),
    row("tally", memberCountsId("p1")),
  )
    .when({ kind: "remove_member", ...where }, { by: DEV })
    .then("portfolio.member_removed", "status_counts.moved", "intent.logged");
  expect(left.get("intent", INTENT_ID)).toMatchObject({ portfolios: [], portfolioOwners: {} });
  expect(left.get("membership", membershipId("p1", INTENT_ID))).toBeUndefined();
});

test("a portfolio takes no more than 1,000 intents", () => {
  const made = given(intentRow()).when(create, { by: DEV }).then("portfolio.made");
  const holding = (completed: number) =>
    given(
      intentRow(),
      { kind: "portfolio", id: "p1", body: made.get("portfolio", "p1") as Portfolio },
      { kind: "tally", id: memberCountsId("p1"), body: { counts: { completed, active: 1 } } },
    );
  const add = { kind: "add_member", ...where, member } as const;
  holding(MEMBERS_MAX - 2)
    .when(add, { by: DEV })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  holding(MEMBERS_MAX - 1)
    .when(add, { by: DEV })
    .refused("too_many");
});

test("the members of a portfolio are loaded only for a caller that may change it, and for another deadline", () => {
  const joined = given(intentRow())
    .when(create, { by: AGENT })
    .then("portfolio.made")
    .when({ kind: "add_member", ...where, member }, { by: AGENT })
    .then("portfolio.member_added", "status_counts.moved", "intent.logged");
  const asked = (by: Principal, deadline: string) => {
    const patch = { governance: { deadline } };
    const command = { kind: "change_portfolio", workspace: WORKSPACE, by, portfolioId: "p1", patch } as const;
    return changeNeeds(command, { get: joined.get } as World).map(({ kind }) => kind);
  };
  const later = "2101-01-01T00:00:00Z";
  expect(asked(OTHER_AGENT, later)).toEqual(["portfolio"]);
  expect(asked(AGENT, governance.deadline)).toEqual(["portfolio"]);
  expect(asked(AGENT, later)).toContain("intent");
});

describe("a changed deadline of a portfolio with many members", () => {
  const ids = Array.from({ length: 12 }, (_, at) => `intent_${at}`);
  const later = { governance: { deadline: "2101-01-01T00:00:00Z" } };
  const change = { kind: "change_portfolio", portfolioId: "p1", patch: later } as const;
  const tick = { kind: "tick_portfolio", portfolioId: "p1" } as const;
  const copied = (count: number) => Array<string>(count).fill("intent.changed");

  function many() {
    const made = given().when(create, { by: DEV }).then("portfolio.made").get("portfolio", "p1") as Portfolio;
    return given(
      { kind: "portfolio", id: "p1", body: { ...made, memberPages: 1 } },
      { kind: "roll", id: "members\np1\n0", body: { ids } },
      ...ids.map((id) => intentRow({ id, portfolios: ["p1"], deadlineAt: 4102444800000 })),
    );
  }

  test("reaches five of them in one commit, and the others in commits that are due at once (G13)", () => {
    const first = many()
      .when(change, { by: DEV })
      .then("portfolio.changed", ...copied(5));
    const due = portfolioDueAt(first.get("portfolio", "p1") as Portfolio);
    expect(due).toBe(first.get("portfolio", "p1")?.updatedAt);
    const second = first.when(tick, { by: SYSTEM }).then("portfolio.deadline_copied", ...copied(5));
    const last = second.when(tick, { by: SYSTEM }).then("portfolio.deadline_copied", ...copied(2));
    const deadlines = new Set(ids.map((id) => last.get("intent", id)?.deadlineAt));
    expect([...deadlines]).toEqual([Date.parse("2101-01-01T00:00:00Z")]);
    expect(portfolioDueAt(last.get("portfolio", "p1") as Portfolio)).toBeNull();
    last.when(tick, { by: SYSTEM }).then();
    given().when(tick, { by: SYSTEM }).refused("not_found");
  });

  test("is not given to a member that has left meanwhile, and begins again when the deadline changes once more", () => {
    const first = many()
      .when(change, { by: DEV })
      .then("portfolio.changed", ...copied(5));
    const gone = first.get("intent", "intent_7") as Intent;
    const { portfolios: _left, ...alone } = gone;
    const rows = [...ids.filter((id) => id !== gone.id)].map((id) => intentRow(first.get("intent", id)));
    const page = { kind: "roll", id: "members\np1\n0", body: { ids } } as const;
    const portfolioRow = (body: Portfolio) => ({ kind: "portfolio", id: "p1", body }) as const;
    const meanwhile = given(
      portfolioRow(first.get("portfolio", "p1") as Portfolio),
      page,
      ...rows,
      intentRow(alone),
    );
    const second = meanwhile.when(tick, { by: SYSTEM }).then("portfolio.deadline_copied", ...copied(5));
    expect(second.get("intent", gone.id)).not.toHaveProperty("deadlineAt");
    const none = second
      .when({ ...change, patch: { governance: {} } }, { by: DEV })
      .then("portfolio.changed", ...copied(5));
    expect(none.get("portfolio", "p1")?.deadlineFor).toEqual(ids.slice(5));
    const renamed = none.when({ ...change, patch: { name: "q" } }, { by: DEV }).then("portfolio.changed");
    expect(renamed.get("portfolio", "p1")?.deadlineFor).toEqual(ids.slice(5));
  });
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
