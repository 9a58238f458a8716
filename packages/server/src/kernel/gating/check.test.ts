import { describe, expect, test } from "vitest";
import { TABLE } from "../../domains.ts";
import { ADMIN, AGENT, AUDITOR, NOW, OPERATOR, OTHER_AGENT } from "../../testing/core-samples.ts";
import { TEST_PLATFORM } from "../../testing/core-step.ts";
import { answer, check, checked, claim, DAY, NONE, published, rowsOf } from "../../testing/gating-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import { afterBusiness, USUAL_HOURS } from "../hold/business-hours.ts";
import { readAfter } from "../hold/read-after.ts";
import { NO_PLATFORM } from "../platform.ts";
import { reasonFor } from "./earlier.ts";
import type { Check } from "./gating.ts";

describe("checking a call", () => {
  test("a call that the rules allow is recorded, and no hold is placed", () => {
    const { types, check: found } = checked(
      published([{ name: "small", tools: ["pay"], verdict: "allow" }]),
      check(),
    );
    expect(types).toEqual(["check.recorded"]);
    expect(found).toMatchObject({
      verdict: "allow",
      index: 0,
      rule: "small",
      version: 1,
      args: { amount: 5 },
    });
  });

  test("a call that the rules deny is recorded with the rule's reason", () => {
    const { check: found } = checked(
      published([{ tools: ["pay"], verdict: "deny", reason: "No." }]),
      check(),
    );
    expect(found).toMatchObject({ verdict: "deny", reason: "No." });
    expect(found?.holdId).toBeUndefined();
  });

  test("without published rules every call asks a person, who sees tool and arguments", () => {
    const { types, check: found, end } = checked(NONE, check());
    expect(types).toEqual(["hold.placed", "call.hold_opened", "check.recorded"]);
    expect(found).toMatchObject({ verdict: "ask", version: 0, index: null, args: null });
    expect(end.hold(found?.holdId)).toMatchObject({
      status: "open",
      links: "server",
      createdBy: AGENT.name,
      ask: { type: "approval", context: { tool: "pay", arguments: { amount: 5 } } },
    });
  });

  test.each([OPERATOR, ADMIN, AUDITOR])("the role $role may not check calls", (by) => {
    given().when(check(), { by }).refused("not_allowed");
  });

  test("the log has verdict, rule and version, and of the arguments a salted digest only", () => {
    const { end } = checked(
      published([{ name: "all", tools: ["*"], verdict: "allow" }]),
      check({ iban: "DE00" }, { localRules: "sha256:f" }),
    );
    const logged = end.facts.map((fact) => asLogged(fact, "default"))[0];
    expect(logged?.data).toEqual({
      ...{ agent: AGENT.name, tool: "pay", verdict: "allow", reason: "A rule allows this call." },
      ...{ rules_version: 1, rule: "all", local_rules: "sha256:f" },
    });
    expect(logged?.content).toEqual({ args: { iban: "DE00" } });
    expect(logged?.audience).toBe(AGENT.name);
  });

  test("the rule decides how people are asked: timeout, ladder, uses, and what they may grant", () => {
    const { check: found, end } = checked(
      published([
        {
          ...{ tools: ["pay"], verdict: "ask", timeout: "2h", uses: 3, grantable: false },
          ladder: [
            { after: "30m", channel: "email", to: "ada" },
            { after: "0s", channel: "chat" },
          ],
        },
      ]),
      check(
        { amount: 5 },
        { argsSchema: { type: "object" }, threadId: "t1", annotations: { readOnlyHint: true } },
      ),
      { platform: { ...TEST_PLATFORM, notify: { allow: ["ada"], channels: { email: [], chat: [] } } } },
    );
    const hold = end.hold(found?.holdId);
    expect(hold).toMatchObject({ expiresAt: NOW + 7_200_000, grantable: false, threadId: "t1" });
    expect(hold.ask).toMatchObject({ uses: 3, responseSchema: { type: "object" } });
    expect(hold.rungs.map(({ channel, at }) => [channel, at - NOW])).toEqual([
      ["chat", 0],
      ["email", 1_800_000],
    ]);
  });

  test("a rule's ladder counts business hours, takes absolute times, and leaves the channel to the person", () => {
    const at = new Date(NOW + 5_000).toISOString();
    const { check: found, end } = checked(
      published([
        {
          ...{ tools: ["pay"], verdict: "ask" },
          ladder: [
            { after: "2h business", channel: "chat" },
            { at, to: "person:ada" },
          ],
        },
      ]),
      check(),
    );
    const [person, chat] = end.hold(found?.holdId).rungs;
    expect(person).toMatchObject({ at: NOW + 5_000, to: "person:ada" });
    expect(person).not.toHaveProperty("channel");
    expect(chat).toMatchObject({
      ...{ channel: "chat", at: afterBusiness(NOW, 7_200_000, TEST_PLATFORM.hours ?? USUAL_HOURS) },
    });
    expect(readAfter("soon")).toBeNull();
  });

  test("the same call finds the same question; other arguments, another agent or another key is a new one", () => {
    const { end, check: first } = checked(NONE, check());
    expect(checked(end, check()).check).toMatchObject({ verdict: "ask", holdId: first?.holdId });
    expect(checked(end, check({ amount: 6 })).check?.holdId).not.toBe(first?.holdId);
    expect(checked(end, check({ amount: 5 }, {}, OTHER_AGENT), { by: OTHER_AGENT }).check?.holdId).not.toBe(
      first?.holdId,
    );
  });

  test("a rule per session asks again in another session, and only then", () => {
    const start = published([{ tools: ["pay"], verdict: "ask", per: "session" }]);
    const { end, check: first } = checked(start, check({ amount: 5 }, { session: "s1" }));
    expect(checked(end, check({ amount: 5 }, { session: "s1" })).check?.holdId).toBe(first?.holdId);
    expect(checked(end, check({ amount: 5 }, { session: "s2" })).check?.holdId).not.toBe(first?.holdId);
    expect(checked(end, check()).check?.holdId).not.toBe(first?.holdId);
  });

  test("a call that a person approved is allowed once, refused while it is executed, and a new question afterwards", () => {
    const { end, check: first } = checked(NONE, check());
    const holdId = first?.holdId ?? "";
    const approved = end.when(answer(holdId)).then("hold.decided", "call.hold_ended");
    const again = checked(approved, check());
    expect(again.check).toMatchObject({ verdict: "allow", holdId, ruled: "ask" });
    const claimed = again.end
      .when(claim(holdId, end.hold(holdId).digest), { by: AGENT })
      .then("hold.claimed");
    const done = claimed
      .when({ kind: "finish_claim", holdId, claimId: `c${holdId}`, ok: true }, { by: AGENT })
      .then("hold.claim_done");
    const repeated = checked(claimed, check());
    expect(repeated.check).toMatchObject({ verdict: "deny", holdId, ruled: "ask" });
    expect(repeated.check?.reason).toContain("is being executed");
    expect(repeated.types).toEqual(["check.recorded"]);
    expect(checked(done, check()).check).toMatchObject({ verdict: "ask" });
    expect(checked(done, check()).check?.holdId).not.toBe(holdId);
  });

  test("an approval for several uses allows until it is used up", () => {
    const { end, check: first } = checked(published([{ tools: ["pay"], verdict: "ask", uses: 2 }]), check());
    const holdId = first?.holdId ?? "";
    const once = end
      .when(answer(holdId))
      .then("hold.decided", "call.hold_ended")
      .when(claim(holdId, end.hold(holdId).digest), { by: AGENT })
      .then("hold.claimed")
      .when({ kind: "finish_claim", holdId, claimId: `c${holdId}`, ok: true }, { by: AGENT })
      .then("hold.claim_done");
    expect(checked(once, check()).check).toMatchObject({ verdict: "allow", holdId });
  });

  test("a rejected call is denied with the person's reason for an hour, and then asked about again", () => {
    const { end, check: first } = checked(NONE, check());
    const rejected = end
      .when(answer(first?.holdId ?? "", { action: "reject", data: { reason: "too much" } }))
      .then("hold.decided", "call.hold_ended");
    const denied = checked(rejected, check()).check as Check;
    // What the person wrote is in the hold only, and goes when the hold is erased (G9).
    expect(denied).toMatchObject({ verdict: "deny", reason: "A person rejected this call." });
    const hold = rejected.hold(first?.holdId);
    expect(reasonFor(denied, hold)).toBe("A person rejected this call: too much");
    expect(reasonFor({ reason: "No." }, hold)).toBe("No.");
    expect(reasonFor(denied, end.hold(first?.holdId))).toBe("A person rejected this call.");
    expect(checked(rejected, check(), { now: NOW + 3_600_000 }).check?.verdict).toBe("ask");
    const silent = end
      .when(answer(first?.holdId ?? "", { action: "reject" }))
      .then("hold.decided", "call.hold_ended");
    expect(reasonFor(checked(silent, check()).check as Check, silent.hold(first?.holdId))).toBe(
      "A person rejected this call.",
    );
  });

  test("a call whose question expired, was cancelled or revoked is asked about again", () => {
    const { end, check: first } = checked(
      published([{ tools: ["pay"], verdict: "ask", timeout: "1s" }]),
      check(),
    );
    const holdId = first?.holdId ?? "";
    expect(checked(end, check(), { now: NOW + 1_000 }).check?.holdId).not.toBe(holdId);
    const cancelled = end.when({ kind: "cancel_hold", holdId }).then("hold.cancelled", "call.hold_ended");
    expect(checked(cancelled, check()).check?.holdId).not.toBe(holdId);
    const revoked = end
      .when(answer(holdId))
      .then("hold.decided", "call.hold_ended")
      .when({ kind: "revoke_hold", holdId })
      .then("hold.revoked");
    expect(checked(revoked, check()).check?.holdId).not.toBe(holdId);
  });

  test("a call whose execution was never reported is denied until a person releases it", () => {
    const { end, check: first } = checked(NONE, check());
    const holdId = first?.holdId ?? "";
    const unknown = end
      .when(answer(holdId))
      .then("hold.decided", "call.hold_ended")
      .when(claim(holdId, end.hold(holdId).digest), { by: AGENT })
      .then("hold.claimed")
      .when({ kind: "tick_hold", holdId }, { now: NOW + 1_000 })
      .then("hold.claim_unknown");
    expect(checked(unknown, check()).check).toMatchObject({ verdict: "deny", holdId });
    const released = unknown.when({ kind: "release_claim", holdId }).then("hold.claim_released");
    expect(checked(released, check()).check).toMatchObject({ verdict: "allow", holdId });
  });

  test("an approval through a link in the asker's hands does not count (G7)", () => {
    const { end, check: first } = checked(NONE, check());
    const holdId = first?.holdId ?? "";
    const approved = end.when(answer(holdId)).then("hold.decided", "call.hold_ended");
    const hold = approved.hold(holdId);
    if (hold.outcome?.kind !== "decided") throw new Error("the hold was not decided");
    const byAsker = {
      ...hold,
      outcome: { ...hold.outcome, by: { ...hold.outcome.by, givenTo: "asker" as const } },
    };
    const start = given(...rowsOf(approved), byAsker);
    expect(checked(start, check()).check?.holdId).not.toBe(holdId);
    start.when(claim(holdId, hold.digest), { by: AGENT }).refused("not_claimable");
  });

  test("a call whose hold was erased is asked about again", () => {
    const { end, check: first } = checked(NONE, check());
    const holdId = first?.holdId ?? "";
    const erased = end
      .when(answer(holdId, { action: "reject" }))
      .then("hold.decided", "call.hold_ended")
      .when({ kind: "erase_hold", holdId }, { by: ADMIN })
      .then("hold.erased");
    expect(checked(erased, check()).check?.holdId).not.toBe(holdId);
  });

  test("a rung of the rule's ladder notifies people while nobody answers", () => {
    const ladder = [{ after: "30m", channel: "email" }];
    const { end, check: first } = checked(published([{ tools: ["pay"], verdict: "ask", ladder }]), check());
    end
      .when({ kind: "tick_hold", holdId: first?.holdId ?? "" }, { now: NOW + 1_800_000 })
      .then("hold.escalated");
  });

  test("an ask that cannot be shown is refused, and nothing is recorded", () => {
    const wrong = check({ amount: 5 }, { argsSchema: { type: "nonsense" } });
    expect(given().when(wrong, { by: AGENT }).refused("invalid_ask").facts).toEqual([]);
  });

  test("the table wakes a check when it is to be deleted, and salts what the log keeps of it", () => {
    const { check: found } = checked(published([{ tools: ["*"], verdict: "allow" }]), check());
    const change = { kind: "check", id: found?.id ?? "", body: found as never };
    expect(TABLE.timerOf(change)).toBe(NOW + 30 * DAY);
    expect(TABLE.saltOf("check", found as never)).toBe("s");
  });

  test("the caller's own rules count where they are stricter", () => {
    const allow = published([{ tools: ["pay"], verdict: "allow" }]);
    expect(checked(allow, check({}, { atLeast: "ask" })).check).toMatchObject({ verdict: "ask" });
    expect(checked(allow, check({}, { atLeast: "deny" })).check).toMatchObject({ verdict: "deny" });
    const deny = published([{ tools: ["pay"], verdict: "deny" }]);
    expect(checked(deny, check({}, { atLeast: "ask" })).check).toMatchObject({ verdict: "deny", index: 0 });
    expect(checked(deny, check({}, { atLeast: "deny" })).check).toMatchObject({ verdict: "deny", index: 0 });
  });

  test("the caller's own rules count alone while no rules are published", () => {
    for (const atLeast of ["allow", "ask", "deny"] as const)
      expect(checked(NONE, check({}, { atLeast })).check).toMatchObject({ verdict: atLeast, index: null });
    expect(checked(NONE, check()).check).toMatchObject({ verdict: "ask" });
    const ask = published([{ tools: ["pay"], verdict: "ask" }]);
    expect(checked(ask, check({}, { atLeast: "allow" })).check).toMatchObject({ verdict: "ask", index: 0 });
  });

  test("in shadow mode the call goes on and what the rules would have said is recorded", () => {
    const { check: found, end } = checked(
      published([{ tools: ["pay"], verdict: "deny" }], { mode: "shadow" }),
      check(),
    );
    expect(found).toMatchObject({ verdict: "allow", shadow: { verdict: "deny", index: 0 } });
    expect(end.facts.map((fact) => asLogged(fact, "default"))[0]?.data).toMatchObject({ shadow: "deny" });
  });

  test("an agent with too many open questions is refused, and may ask again when one was answered", () => {
    const platform = { ...NO_PLATFORM, maxOpenChecks: 2 };
    const one = checked(NONE, check({ n: 1 }), { platform });
    const two = checked(one.end, check({ n: 2 }), { platform });
    two.end.when(check({ n: 3 }), { by: AGENT, platform }).refused("too_many_open");
    expect(checked(two.end, check({ n: 1 }), { platform }).check?.verdict).toBe("ask");
    const answered = two.end.when(answer(one.check?.holdId ?? "")).then("hold.decided", "call.hold_ended");
    expect(checked(answered, check({ n: 3 }), { platform }).check?.verdict).toBe("ask");
  });

  test("coverage counts calls and verdicts per agent and tool, up to a thousand tools of an agent", () => {
    const start = published([{ tools: ["pay"], when: { "args.amount": { max: 5 } }, verdict: "allow" }]);
    const one = checked(start, check({ amount: 1 }));
    const two = checked(one.end, check({ amount: 9 }), { now: NOW + 5 });
    expect(two.end.get("tool_seen", `${AGENT.name}\npay\n0`)).toMatchObject({
      ...{ calls: 2, allow: 1, ask: 1, deny: 0, firstAt: NOW, lastAt: NOW + 5, lastVerdict: "ask" },
    });
    const allowed = checked(checked(start, check({ amount: 1 })).end, check({ amount: 2 }));
    expect(allowed.types).toEqual(["check.recorded"]);
    const many = { kind: "agent_checks", id: AGENT.name, body: { open: 0, tools: 1_000 } } as const;
    const full = given(many).when(check(), { by: AGENT });
    expect(full.step.decision.reply).toMatchObject({ ok: true });
    expect(full.step.after.has(`tool_seen ${AGENT.name}\npay\n0`)).toBe(false);
  });

  test("a recorded check is deleted when its time is over, and stays in the log", () => {
    const { end, check: found } = checked(published([{ tools: ["pay"], verdict: "allow" }]), check());
    const checkId = found?.id ?? "";
    end.when({ kind: "drop_check", checkId }).then();
    const later = end.when({ kind: "drop_check", checkId }, { now: NOW + 30 * DAY }).then("check.dropped");
    expect(later.get("check", checkId)).toBeUndefined();
    expect(later.facts.map((fact) => asLogged(fact, "default"))).toEqual([null]);
    later.when({ kind: "drop_check", checkId }, { now: NOW + 31 * DAY }).then();
  });
});
