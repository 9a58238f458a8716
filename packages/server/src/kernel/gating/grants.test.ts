import type { GateRule } from "@holdpoint/protocol/gating";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { ADMIN, AGENT, NOW, OPERATOR, OTHER_AGENT } from "../../testing/core-samples.ts";
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
import { type Given, given } from "../../testing/given.ts";
import { personRow, signedIn, teamRow } from "../../testing/people.ts";
import { asLogged } from "../../testing/tables.ts";
import { CALL_ATTACHMENT } from "./attachment.ts";

describe("grants", () => {
  const HOUR = { afterMs: 3_600_000 };
  const ASK: GateRule = { tools: ["pay"], verdict: "ask" };

  /** Asks about `args`, and a person approves with these terms. */
  function granted(terms: object, args: JsonObject = { amount: 5 }, list: readonly GateRule[] = [ASK]) {
    const { end, check: first } = checked(published(list), check(args));
    const holdId = first?.holdId ?? "";
    const grant = { id: "g1", salt: "gs", until: HOUR, ...terms };
    return { end, holdId, answered: () => end.when(answer(holdId, { grant })) };
  }

  function claimed(start: Given, holdId: string): Given {
    return start
      .when(claim(holdId, start.hold(holdId).digest), { by: AGENT })
      .then("hold.claimed")
      .when({ kind: "finish_claim", holdId, claimId: `c${holdId}`, ok: true }, { by: AGENT })
      .then("hold.claim_done");
  }

  test("an approval with a grant answers the next equal call without a person, and not in the minter's name (G5)", () => {
    const { answered, holdId } = granted({});
    const minted = answered().then("hold.decided", "call.hold_ended", "grant.minted");
    const next = checked(claimed(minted, holdId), check());
    expect(next.types).toEqual([
      ...[
        "grant.matched",
        "hold.placed",
        "call.hold_opened",
        "hold.decided",
        "call.hold_ended",
        "check.recorded",
      ],
    ]);
    expect(next.check).toMatchObject({ verdict: "allow", grantId: "g1" });
    const hold = next.end.hold(next.check?.holdId);
    expect(hold.outcome).toMatchObject({
      kind: "decided",
      action: "approve",
      by: { kind: "grant", id: "g1" },
    });
    expect(JSON.stringify(hold.outcome)).not.toContain(OPERATOR.name);
    expect(hold.rungs).toEqual([]);
    expect(next.end.get("grant", "g1")).toMatchObject({ used: 1, uses: 1, lastUsedAt: NOW });
    const logged = next.end.facts.map((fact) => asLogged(fact, "default"));
    expect(logged.map((event) => event?.type)).toEqual([
      ...["grant.matched", "hold.placed", undefined, "hold.decided", undefined, "check.recorded"],
    ]);
    expect(logged[0]?.data).toEqual({ used: true });
    expect(logged[1]?.data).not.toHaveProperty("call_id");
    expect(logged.at(-1)?.data).toMatchObject({ grant_id: "g1", hold_id: next.check?.holdId });
  });

  test("the log names who minted the grant and what it is for, and its terms as a salted digest only", () => {
    const { answered } = granted({ uses: 3 });
    const minted = answered().then("hold.decided", "call.hold_ended", "grant.minted");
    const logged = asLogged(minted.facts[2] as never, "default");
    expect(logged).toMatchObject({
      stream: "grant:g1",
      data: { tool: "pay", uses: 3, minted_by: { kind: "key" } },
    });
    expect(JSON.stringify(logged?.data)).not.toContain("amount");
    expect(TABLE.saltOf("grant", minted.get("grant", "g1") as never)).toBe("gs");
  });

  test("an approved hold that is not claimed yet is used before the grant", () => {
    const { answered, holdId } = granted({});
    const minted = answered().then("hold.decided", "call.hold_ended", "grant.minted");
    expect(checked(minted, check()).check).toMatchObject({ verdict: "allow", holdId });
    expect(checked(minted, check()).end.get("grant", "g1")?.used).toBe(0);
  });

  test("a grant ends with its uses, its time, its revocation, and a change of the rule that asked", () => {
    const { answered, holdId } = granted({});
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const used = checked(minted, check());
    const spent = claimed(used.end, used.check?.holdId ?? "");
    expect(checked(spent, check()).check?.verdict).toBe("ask");
    expect(checked(minted, check(), { now: NOW + 3_600_000 }).check?.verdict).toBe("ask");
    const revoked = minted.when({ kind: "revoke_grant", grantId: "g1" }).then("grant.revoked");
    expect(checked(revoked, check()).check?.verdict).toBe("ask");
    expect(revoked.get("grant_list", `exact\n${AGENT.name}\npay\nsha256:{"amount":5}`)).toBeUndefined();
    const changed = minted.when(rules([{ ...ASK, timeout: "1h" }]), { by: ADMIN }).then("rules.published");
    expect(checked(changed, check()).check?.verdict).toBe("ask");
    const forbidden = minted
      .when(rules([{ ...ASK, grantable: false }]), { by: ADMIN })
      .then("rules.published");
    expect(checked(forbidden, check()).check?.verdict).toBe("ask");
  });

  test("a call that a grant allowed is allowed again in the grant's name, until the grant ends; then it is a new question and cannot be claimed", () => {
    const { answered, holdId } = granted({});
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const used = checked(minted, check());
    const byGrant = used.check?.holdId ?? "";
    const claimIt = claim(byGrant, used.end.hold(byGrant).digest);
    const again = checked(used.end, check());
    expect(again.types).toEqual(["check.recorded"]);
    expect(again.check).toMatchObject({ verdict: "allow", holdId: byGrant, grantId: "g1" });
    expect(again.check?.reason).not.toContain("approved");
    used.end.when(claimIt, { by: AGENT }).then("hold.claimed");
    const publish = (list: readonly GateRule[]) =>
      used.end.when(rules(list), { by: ADMIN }).then("rules.published");
    const over = { now: NOW + 3_600_000 };
    const endings = [
      [used.end.when({ kind: "revoke_grant", grantId: "g1" }).then("grant.revoked"), {}],
      [publish([{ ...ASK, timeout: "1h" }]), {}],
      [publish([]), {}],
      [used.end, over],
    ] as const;
    for (const [end, more] of endings) {
      end.when(claimIt, { by: AGENT, ...more }).refused("not_claimable");
      expect(checked(end, check(), more).check).toMatchObject({ verdict: "ask" });
    }
    publish([{ tools: ["pay"], verdict: "allow" }])
      .when(claimIt, { by: AGENT })
      .then("hold.claimed");
    publish([ASK, { tools: ["x"], verdict: "deny" }])
      .when(claimIt, { by: AGENT })
      .then("hold.claimed");
  });

  test("a grant that was revoked executes nothing, also when rules that allow the call are published after it", () => {
    const { answered, holdId } = granted({});
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const used = checked(minted, check());
    const byGrant = used.check?.holdId ?? "";
    const revoked = used.end.when({ kind: "revoke_grant", grantId: "g1" }).then("grant.revoked");
    const allowing = revoked
      .when(rules([{ tools: ["pay"], verdict: "allow" }]), { by: ADMIN })
      .then("rules.published");
    allowing.when(claim(byGrant, used.end.hold(byGrant).digest), { by: AGENT }).refused("not_claimable");
    // The claim locks the grant, so that on no store a claim is written after the revocation.
    const needs = CALL_ATTACHMENT.claimNeeds("", used.end.hold(byGrant), { get: () => undefined } as never);
    expect(needs).toContainEqual({ kind: "grant", id: "g1" });
    // The agent checks again, and the rules themselves allow the call. A gateway's own rules may still ask.
    expect(checked(allowing, check()).check).toMatchObject({ verdict: "allow" });
    expect(checked(allowing, check({ amount: 5 }, { atLeast: "ask" })).check).toMatchObject({
      verdict: "ask",
    });
  });

  test("one use of a grant is one execution, also where one approval may be executed several times", () => {
    const { answered, holdId } = granted({ args: { amount: "any" } }, { amount: 5 }, [{ ...ASK, uses: 3 }]);
    const minted = answered().then("hold.decided", "call.hold_ended", "grant.minted");
    expect(minted.hold(holdId).ask).toMatchObject({ uses: 3 });
    const used = checked(minted, check({ amount: 6 }));
    expect(used.check).toMatchObject({ verdict: "allow", grantId: "g1" });
    expect(used.end.hold(used.check?.holdId).ask).not.toHaveProperty("uses");
    const spent = claimed(used.end, used.check?.holdId ?? "");
    expect(checked(spent, check({ amount: 6 })).check?.verdict).toBe("ask");
  });

  test("a grant with a range allows calls within it only", () => {
    const { answered, holdId } = granted(
      { uses: 9, args: { amount: { min: 1, max: 10 } } },
      { amount: 5, to: "ada" },
    );
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    expect(checked(minted, check({ amount: 10, to: "ada" })).check?.verdict).toBe("allow");
    for (const args of [
      { amount: 11, to: "ada" },
      { amount: 5, to: "eve" },
      { amount: 5 },
      { amount: 5, to: "ada", x: 1 },
    ])
      expect(checked(minted, check(args)).check?.verdict).toBe("ask");
    expect(
      checked(minted, check({ amount: 5, to: "ada" }, {}, OTHER_AGENT), { by: OTHER_AGENT }).check?.verdict,
    ).toBe("ask");
  });

  test("every nth matching call is still asked about, and that takes no use", () => {
    const { answered, holdId } = granted({ uses: 9, sampleEvery: 2, args: { amount: "any" } });
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const first = checked(minted, check({ amount: 1 }));
    expect(first.check?.verdict).toBe("allow");
    const second = checked(first.end, check({ amount: 2 }));
    expect(second.check?.verdict).toBe("ask");
    expect(second.end.get("grant", "g1")).toMatchObject({ matched: 2, used: 1 });
  });

  test.each<[string, object, string]>([
    ["longer than the server allows", { until: { afterMs: 8 * DAY } }, "grant_too_long"],
    ["that ends in the past", { until: { at: NOW } }, "not_grantable"],
    ["whose terms do not fit the call", { args: { amount: { min: 9, max: 10 } } }, "not_grantable"],
  ])("refuses a grant %s, and the hold stays open", (_what, terms, code) => {
    const { answered, holdId } = granted(terms);
    expect(answered().refused(code).hold(holdId).status).toBe("open");
  });

  test("refuses a grant with a rejection, with changed arguments, where the rule forbids it, and on other holds", () => {
    const grant = { id: "g1", salt: "gs", until: HOUR };
    const { end, holdId } = granted({});
    end.when(answer(holdId, { action: "reject", grant })).refused("not_grantable");
    end.when(answer(holdId, { data: { edited_args: { amount: 1 } }, grant })).refused("not_grantable");
    const strict = granted({}, { amount: 5 }, [{ ...ASK, grantable: false }]);
    strict.answered().refused("not_grantable");
    const placed = given()
      .when(
        {
          kind: "place_hold",
          hold: {
            id: "p1",
            salt: "s",
            ask: { type: "approval", prompt: "?" },
            rungs: [],
            links: "server",
            newLinks: [],
          },
        },
        { by: AGENT },
      )
      .then("hold.placed");
    placed.when(answer("p1", { grant })).refused("not_grantable");
  });

  test("refuses a grant when too many for the tool are valid, and drops those that have run out", () => {
    const { end, holdId } = granted({});
    const id = `exact\n${AGENT.name}\npay\nsha256:{"amount":5}`;
    const entry = (n: number, until: number) => ({ id: `g${n}`, args: {}, until });
    const rows = (until: number) => {
      const body = { grants: Array.from({ length: 50 }, (_none, n) => entry(n, until)) };
      return given(...rowsOf(end), { kind: "grant_list", id, body });
    };
    const grant = { id: "new", salt: "gs", until: HOUR };
    rows(NOW + 1)
      .when(answer(holdId, { grant }))
      .refused("not_grantable");
    const minted = rows(NOW)
      .when(answer(holdId, { grant }))
      .then("hold.decided", "call.hold_ended", "grant.minted");
    expect(minted.get("grant_list", id)?.grants.map((one) => one.id)).toEqual(["new"]);
  });

  test("operators revoke grants, once; agents cannot, and an unknown grant is not found", () => {
    const { answered } = granted({});
    const minted = answered().then("hold.decided", "call.hold_ended", "grant.minted");
    minted.when({ kind: "revoke_grant", grantId: "g1" }, { by: AGENT }).refused("not_allowed");
    minted.when({ kind: "revoke_grant", grantId: "g9" }).refused("not_found");
    const revoked = minted.when({ kind: "revoke_grant", grantId: "g1" }).then("grant.revoked");
    expect(revoked.get("grant", "g1")).toMatchObject({ revokedBy: "key:ada", revokedAt: NOW });
    expect(asLogged(revoked.facts[0] as never, "default")?.data).toEqual({ by: "key:ada" });
    revoked.when({ kind: "revoke_grant", grantId: "g1" }).then();
  });

  test("a grant whose hold cannot be placed is not used", () => {
    const { answered, holdId } = granted({ uses: 5 });
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const wrong = check({ amount: 5 }, { argsSchema: { type: "nonsense" } });
    expect(minted.when(wrong, { by: AGENT }).refused("invalid_ask").get("grant", "g1")?.used).toBe(0);
  });

  test("revoking one of several grants leaves the others", () => {
    const { answered, holdId } = granted({ uses: 5 });
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const id = `exact\n${AGENT.name}\npay\nsha256:{"amount":5}`;
    const other = { id: "g2", args: { amount: { equal: 5 } }, until: NOW + 9 };
    const two = minted.get("grant_list", id)?.grants.concat(other) ?? [];
    const start = given(...rowsOf(minted), { kind: "grant_list", id, body: { grants: two } });
    const revoked = start.when({ kind: "revoke_grant", grantId: "g1" }).then("grant.revoked");
    expect(revoked.get("grant_list", id)?.grants).toEqual([other]);
  });

  test("a fact about a grant that was never minted is a broken invariant", () => {
    const fact = { type: "grant.revoked", by: "key:ada" };
    expect(() => given({ kind: "grant", id: "g1", fact, at: 1, actor: "system" } as never)).toThrow(
      "a fact about grant g1, which was never minted",
    );
  });

  test("where two people must agree, the terms are part of what they vote on", () => {
    const decision = { approve: [{ need: 2, from: ["team:finance"] }] };
    const people = ["ada", "grace", "lin"];
    const start = given(
      ...people.map((id) => personRow(id, { teams: ["finance"] })),
      teamRow("finance", people),
    );
    const { end, check: first } = checked(published([{ ...ASK, decision }], {}, start), check());
    const vote = (id: string, part: object) =>
      answer(first?.holdId ?? "", { grant: { id, salt: "gs", until: HOUR, ...part } });
    const one = end.when(vote("g1", { uses: 3 }), { by: signedIn("ada") }).then("hold.voted");
    const split = one.when(vote("g2", { uses: 9 }), { by: signedIn("grace") }).then("hold.voted");
    expect(split.hold(first?.holdId).status).toBe("open");
    const met = split
      .when(vote("g3", { uses: 3 }), { by: signedIn("lin") })
      .then("hold.voted", "hold.decided", "call.hold_ended", "grant.minted");
    expect(met.get("grant", "g3")).toMatchObject({ uses: 3 });
    const plain = one.when(answer(first?.holdId ?? ""), { by: signedIn("grace") }).then("hold.voted");
    expect(plain.hold(first?.holdId).status).toBe("open");
  });

  test("refuses a grant where a decision needs a passkey", () => {
    const decision = { approve: [{ need: 1, from: ["person:ada"] }], strength: "passkey" as const };
    const start = given(personRow("ada"));
    const { end, check: first } = checked(published([{ ...ASK, decision }], {}, start), check());
    const grant = { id: "g1", salt: "gs", until: HOUR };
    end.when(answer(first?.holdId ?? "", { grant }), { by: signedIn("ada") }).refused("not_grantable");
  });

  test("people's answers are counted by tool, and what a grant decided is not", () => {
    const { answered, holdId } = granted({ uses: 5 });
    const minted = claimed(answered().then("hold.decided", "call.hold_ended", "grant.minted"), holdId);
    const byGrant = checked(minted, check()).end;
    const id = `${AGENT.name}\npay`;
    expect(byGrant.get("tool_answers", id)).toMatchObject({
      approved: 1,
      edited: 0,
      rejected: 0,
      undecided: 0,
    });
    const asked = checked(byGrant, check({ amount: 7 }));
    const edited = asked.end
      .when(answer(asked.check?.holdId ?? "", { data: { edited_args: { amount: 1 } } }))
      .then("hold.decided", "call.hold_ended");
    expect(edited.get("tool_answers", id)).toMatchObject({ approved: 1, edited: 1 });
  });
});
