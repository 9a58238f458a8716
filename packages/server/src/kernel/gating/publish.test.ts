import type { GateRule } from "@holdpoint/protocol/gating";
import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, AUDITOR, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import {
  answer,
  check,
  checked,
  claim,
  DAY,
  published,
  rowsOf,
  rules,
} from "../../testing/gating-samples.ts";
import { type BareCommand, given } from "../../testing/given.ts";
import { personRow, teamRow } from "../../testing/people.ts";
import { asLogged } from "../../testing/tables.ts";
import { type Principal, SYSTEM } from "../principal.ts";

describe("publishing rules", () => {
  test("writes the next version, keeps the one before, and logs who published it", () => {
    const first = given()
      .when({ ...rules([]), note: "first" } as BareCommand, { by: ADMIN })
      .then("rules.published");
    const second = first
      .when(rules([{ tools: ["a"], verdict: "allow" }]), { by: DEV })
      .then("rules.published");
    expect(second.get("rules", "current")).toEqual({ version: 2, source: "api" });
    expect(second.get("rules_version", "v000000001")).toMatchObject({ version: 1, note: "first" });
    expect(second.get("rules_version", "v000000002")).toMatchObject({
      publishedBy: "key:dev",
      publishedAt: NOW,
    });
    const [fact] = first.facts;
    expect(fact && asLogged(fact, "default")).toMatchObject({
      stream: "rules:current",
      actor: "key:root",
      data: { version: 1, rules: 0, default: "ask", mode: "enforce", note: "first" },
    });
    expect(fact && asLogged(second.facts[0] as never, "default")?.data).not.toHaveProperty("note");
  });

  test("publishing the same rules again changes nothing", () => {
    const first = published([]);
    expect(first.when(rules([]), { by: ADMIN }).then().reply).toMatchObject({ ok: true, fresh: false });
  });

  test.each([AGENT, OPERATOR, AUDITOR])("the role $role may not publish", (by) => {
    given().when(rules([]), { by }).refused("not_allowed");
  });

  test("a rule with an error publishes nothing", () => {
    const wrong = rules([{ tools: ["a"], when: { "args.x": {} }, verdict: "allow" }]);
    given().when(wrong, { by: ADMIN }).refused("invalid_rules");
  });

  test("a rule whose decision names an unknown person or team publishes nothing", () => {
    for (const from of ["team:finance", "person:zoe"]) {
      const decision = { approve: [{ need: 1, from: [from] }] };
      const { reply } = given()
        .when(
          rules([
            { tools: ["a"], verdict: "allow" },
            { tools: ["b"], verdict: "ask", decision },
          ]),
          { by: ADMIN },
        )
        .refused("invalid_rules");
      const problems = reply.ok ? [] : reply.failure.problems;
      expect(problems).toMatchObject([{ key: "/rules/1/decision/approve/0/from/0" }]);
    }
  });

  test("a version that changed in between is refused", () => {
    const first = published([]);
    first
      .when({ ...rules([], { default: "deny" }), ifVersion: 0 } as BareCommand, { by: ADMIN })
      .refused("precondition_failed");
    first
      .when({ ...rules([], { default: "deny" }), ifVersion: 1 } as BareCommand, { by: ADMIN })
      .then("rules.published");
  });

  test("the configuration file publishes at first and never over what people published", () => {
    const seed = { ...rules([], { default: "deny" }), source: "config" } as BareCommand;
    const system: Principal = { role: "system", via: "system", id: "system", name: "system" };
    given().when(seed, { by: system }).then("rules.published");
    published([]).when(seed, { by: system }).then();
  });
});

describe("rules that change after an approval (G10)", () => {
  const PEOPLE = given(
    ...["ada", "grace"].map((id) => personRow(id, { teams: ["finance"] })),
    teamRow("finance", ["ada", "grace"]),
  );

  function approvedUnder(list: readonly GateRule[]) {
    const { end, check: first } = checked(published(list, {}, PEOPLE), check());
    const holdId = first?.holdId ?? "";
    const voted = list[0]?.decision === undefined ? [] : ["hold.voted"];
    const approved = end.when(answer(holdId)).then(...voted, "hold.decided", "call.hold_ended");
    return { approved, holdId, digest: approved.hold(holdId).digest };
  }
  const ASK: GateRule = { tools: ["pay"], verdict: "ask" };

  test("a claim is refused when the rules deny the call now", () => {
    const { approved, holdId, digest } = approvedUnder([ASK]);
    const changed = approved
      .when(rules([{ tools: ["pay"], verdict: "deny" }]), { by: ADMIN })
      .then("rules.published");
    changed.when(claim(holdId, digest), { by: AGENT }).refused("not_claimable");
  });

  test("a claim goes on when the rules ask the same people or allow the call now", () => {
    const { approved, holdId, digest } = approvedUnder([ASK]);
    for (const next of [ASK, { tools: ["pay"], verdict: "allow" } as GateRule]) {
      const changed = approved
        .when(rules([next, { tools: ["x"], verdict: "deny" }]), { by: ADMIN })
        .then("rules.published");
      changed.when(claim(holdId, digest), { by: AGENT }).then("hold.claimed");
    }
    approved.when(claim(holdId, digest), { by: AGENT }).then("hold.claimed");
  });

  test("an approval under the same decision stays an approval when other rules change", () => {
    const strict: GateRule = { ...ASK, decision: { approve: [{ need: 1, from: ["person:ada"] }] } };
    const { approved, holdId, digest } = approvedUnder([strict]);
    const changed = approved
      .when(rules([strict, { tools: ["x"], verdict: "deny" }]), { by: ADMIN })
      .then("rules.published");
    expect(checked(changed, check()).check).toMatchObject({ verdict: "allow", holdId });
    changed.when(claim(holdId, digest), { by: AGENT }).then("hold.claimed");
  });

  test("a claim is refused and the call is asked about again when other people must agree now", () => {
    const { approved, holdId, digest } = approvedUnder([ASK]);
    const stricter: GateRule = { ...ASK, decision: { approve: [{ need: 2, from: ["team:finance"] }] } };
    const changed = approved.when(rules([stricter]), { by: ADMIN }).then("rules.published");
    changed.when(claim(holdId, digest), { by: AGENT }).refused("not_claimable");
    // The call is asked about again under the new rules; the old approval stays void, and can allow nothing in advance.
    const again = checked(changed, check());
    expect(again.check).toMatchObject({ verdict: "ask" });
    expect(again.check?.holdId).not.toBe(holdId);
    again.end.when(claim(holdId, digest), { by: AGENT }).refused("not_claimable");
  });

  test("a question that stricter rules replaced is cancelled when the call is asked about again, and says where", () => {
    const { end, check: first } = checked(published([{ ...ASK, timeout: "1h" }], {}, PEOPLE), check());
    const holdId = first?.holdId ?? "";
    const stricter: GateRule = { ...ASK, decision: { approve: [{ need: 2, from: ["team:finance"] }] } };
    const changed = end.when(rules([stricter]), { by: ADMIN }).then("rules.published");
    const again = checked(changed, check());
    expect(again.end.hold(holdId).outcome).toMatchObject({
      ...{ kind: "cancelled", cancelledBy: { name: AGENT.name } },
      reason: expect.stringContaining(`asked about again in ${again.check?.holdId}`),
    });
    expect(again.end.get("agent_checks", AGENT.name)).toMatchObject({ open: 1 });
    // A question whose time is over expires as it would have, and is not cancelled.
    const late = checked(changed, check(), { now: NOW + DAY });
    expect(late.check).toMatchObject({ verdict: "ask" });
    expect(late.end.hold(holdId).outcome).toBeUndefined();
  });

  test("a question that an earlier version left open after stricter rules can be answered, and neither executed nor made a grant", () => {
    const { end, check: first } = checked(published([ASK], {}, PEOPLE), check());
    const holdId = first?.holdId ?? "";
    const digest = end.hold(holdId).digest;
    const stricter: GateRule = { ...ASK, decision: { approve: [{ need: 2, from: ["team:finance"] }] } };
    const changed = end.when(rules([stricter]), { by: ADMIN }).then("rules.published");
    const rows = rowsOf(checked(changed, check()).end).map((row: { kind: string; id: string }) =>
      row.kind === "hold" && row.id === holdId ? { ...row, body: end.hold(holdId) } : row,
    );
    const both = given(...(rows as never[]));
    const grant = { id: "g1", salt: "gs", until: { afterMs: 3_600_000 } };
    both.when(answer(holdId, { grant })).refused("not_grantable");
    const approved = both.when(answer(holdId)).then("hold.decided", "call.hold_ended");
    approved.when(claim(holdId, digest), { by: AGENT }).refused("not_claimable");
  });

  test("a call whose execution is running or unknown is neither run nor asked about again under stricter rules (G10)", () => {
    const { approved, holdId, digest } = approvedUnder([ASK]);
    const claimed = approved.when(claim(holdId, digest), { by: AGENT }).then("hold.claimed");
    const stricter: GateRule = { ...ASK, decision: { approve: [{ need: 2, from: ["team:finance"] }] } };
    const changed = claimed.when(rules([stricter]), { by: ADMIN }).then("rules.published");
    expect(checked(changed, check()).check).toMatchObject({ verdict: "deny", holdId });
    const lost = changed
      .when({ kind: "tick_hold", holdId }, { by: SYSTEM, now: NOW + DAY })
      .then("hold.claim_unknown");
    expect(checked(lost, check()).check).toMatchObject({ verdict: "deny", holdId });
    const released = lost.when({ kind: "release_claim", holdId }).then("hold.claim_released");
    expect(checked(released, check()).check).toMatchObject({ verdict: "ask" });
  });

  test("nobody approves with other arguments what the rules deny or want other people to agree to", () => {
    const large = { "args.amount": { min: 100 } };
    const two: GateRule = {
      ...{ tools: ["pay"], when: large, verdict: "ask" },
      decision: { approve: [{ need: 2, from: ["team:finance"] }] },
    };
    const never: GateRule = { tools: ["pay"], when: { "args.amount": { min: 1_000 } }, verdict: "deny" };
    const free: GateRule = { tools: ["pay"], when: { "args.amount": { max: 1 } }, verdict: "allow" };
    const { end, check: first } = checked(published([never, two, free, ASK], {}, PEOPLE), check());
    const holdId = first?.holdId ?? "";
    const edited = (amount: number, action = "approve") =>
      answer(holdId, { action, data: { edited_args: { amount } } });
    end.when(edited(5_000)).refused("invalid_answer");
    end.when(edited(500)).refused("invalid_answer");
    for (const amount of [1, 50]) {
      const approved = end.when(edited(amount)).then("hold.decided", "call.hold_ended");
      approved.when(claim(holdId, end.hold(holdId).digest), { by: AGENT }).then("hold.claimed");
    }
  });

  test("an approval with other arguments that an earlier version took is checked at the claim", () => {
    const { approved, holdId, digest } = approvedUnder([
      { tools: ["pay"], when: { "args.amount": { min: 100 } }, verdict: "deny" },
      ASK,
    ]);
    const data = { edited_args: { amount: 500 } };
    const rows = rowsOf(approved).map((row: { kind: string; id: string; body: object }) =>
      row.id === holdId && row.kind === "hold"
        ? { ...row, body: { ...row.body, outcome: { ...approved.hold(holdId).outcome, data } } }
        : row,
    );
    given(...(rows as never[]))
      .when(claim(holdId, digest), { by: AGENT })
      .refused("not_claimable");
  });

  test("hints of the tool count again at the claim", () => {
    const list: readonly GateRule[] = [ASK];
    const { end, check: first } = checked(
      published(list),
      check({ amount: 5 }, { annotations: { destructiveHint: true } }),
    );
    const holdId = first?.holdId ?? "";
    const approved = end
      .when(answer(holdId, { data: { edited_args: { amount: 4 } } }))
      .then("hold.decided", "call.hold_ended");
    const when = { "annotations.destructiveHint": { equals: true }, "args.amount": { equals: 4 } };
    const changed = approved
      .when(rules([{ tools: ["pay"], when, verdict: "deny" }]), { by: ADMIN })
      .then("rules.published");
    changed.when(claim(holdId, approved.hold(holdId).digest), { by: AGENT }).refused("not_claimable");
  });
});
