/**
 * What must hold after any command on holds, by any caller and after any history. Each check looks at one step and
 * throws; together, over every step of a walk, they say that the promises hold on it.
 */

import assert from "node:assert/strict";
import type { Command } from "../domains.ts";
import type { HoldFact } from "../kernel/hold/facts.ts";
import type { Group } from "../kernel/hold/group.ts";
import { claimsOf, type Hold, type Outcome } from "../kernel/hold/hold.ts";
import { dueAt } from "../kernel/hold/time.ts";
import { bodyOf, type Rows, type Step } from "./core-step.ts";
import { asLogged, type Recorded } from "./tables.ts";

export interface Walked extends Step {
  readonly command: Command;
  readonly now: number;
  /** Words that stand in content, in salts and in hashes of tokens, and so in no event (G9). */
  readonly secrets: readonly string[];
}

interface Change {
  readonly before: Hold | undefined;
  readonly after: Hold;
}

/** What the step left alone was checked when it came to be. */
type Check = (walked: Walked, changed: readonly Change[]) => void;

const CHECKS: Readonly<Record<string, Check>> = {
  "a hold gets at most one outcome, and it never changes (G1)": eachHold((before, after) => {
    if (before?.outcome === undefined) return;
    assert.deepEqual(core(after.outcome), core(before.outcome));
    if (after.erasedAt === undefined) assert.deepEqual(after.outcome, before.outcome);
  }),
  "status says how it ended": eachHold((_before, after) => {
    assert.equal(after.status, after.outcome?.kind ?? "open");
  }),
  "only what a person decided carries a person and an action (G5)": eachHold((_before, { outcome }) => {
    if (outcome === undefined || outcome.kind === "decided") return;
    for (const member of ["by", "action", "data", "door"]) assert(!(member in outcome), member);
  }),
  "looking never decides: it only brings forward the clock's decision (G6)": eachHold(
    (before, after, walked) => {
      if (walked.command.kind !== "open_hold" && walked.command.kind !== "progress_hold") return;
      if (before?.outcome === undefined && after.outcome !== undefined)
        assert.equal(after.outcome.kind, "expired");
    },
  ),
  "who asks cannot answer (G7)": eachHold((before, after, { command }) => {
    if (before?.outcome !== undefined || after.outcome?.kind !== "decided") return;
    const { role, name, claimed } = command.by;
    assert(!["agent", "auditor", "system"].includes(role), `the role ${role} decided`);
    if (role === "app") assert(claimed !== undefined, "an app answered for nobody");
    else if (role !== "dev" && role !== "reviewer") assert.notEqual(name, after.createdBy);
  }),
  "an answer comes before the expiry, and the expiry at its own moment (G3)": eachHold(
    (before, after, { now }) => {
      const { outcome, expiresAt = Number.POSITIVE_INFINITY } = after;
      if (outcome === undefined || before?.outcome !== undefined) return;
      if (outcome.kind === "expired") assert.equal(outcome.at, expiresAt);
      else assert(outcome.at === now && now < expiresAt);
    },
  ),
  "what was asked never changes (G12)": eachHold((before, after) => {
    if (before === undefined || after.erasedAt !== undefined) return;
    for (const name of ["ask", "digest", "salt", "createdBy", "expiresAt", "answerers", "key"] as const) {
      assert.equal(after[name], before[name], name);
    }
  }),
  "nobody begins what they have not opened": eachHold((_before, { progressedAt, openedAt }) => {
    if (progressedAt !== undefined) assert(openedAt !== undefined && openedAt <= progressedAt);
  }),
  "an erased hold carries neither content nor salt": eachHold((_before, after, { secrets }) => {
    if (after.erasedAt === undefined) return;
    assert.equal(after.ask, null);
    assert.equal(after.salt, null);
    assert(!mentions(after, secrets), "an erased hold still mentions content");
  }),
  "after a tick nothing is due any more (G3)": ({ command, now, after }) => {
    if (command.kind !== "tick_hold") return;
    const hold = bodyOf(after, "hold", command.holdId);
    const due = hold === undefined ? null : dueAt(hold);
    assert(due === null || due > now, `due at ${due}, now ${now}`);
  },
  "a rung passes at most once, and never early (G3)": eachHoldFact((id, fact, { before, now }) => {
    if (fact.type !== "hold.reminded" && fact.type !== "hold.escalated") return;
    assert.equal(bodyOf(before, "hold", id)?.rungs[fact.index]?.state, undefined);
    assert(fact.rung.state !== undefined && fact.rung.at <= now);
  }),
  "an execution is claimed as often as was approved, one after another (G10)": eachHoldFact(
    (id, fact, { before }) => {
      if (fact.type !== "hold.claimed") return;
      const hold = bodyOf(before, "hold", id);
      assert(hold?.outcome?.kind === "decided" && hold.ask !== null, "nobody has approved this");
      assert.equal(hold.revoked, undefined, "it was taken back");
      assert(
        hold.claim === undefined || ["done", "failed"].includes(hold.claim.state),
        "it is being executed",
      );
      const { uses = 1 } = hold.ask;
      assert(uses === "unlimited" || claimsOf(hold) < uses, "it was used up");
    },
  ),
  "what was taken back stays so": eachHold((before, after) => {
    if (before?.revoked !== undefined) assert.equal(after.revoked?.at, before.revoked.at);
  }),
  "a refusal leaves everything as it was, but for what the clock decided (G11)": ({
    decision,
    before,
    after,
  }) => {
    if (decision.reply.ok) return;
    for (const { fact, actor } of decision.facts) assert.equal(actor, "system", fact.type);
    if (decision.facts.length > 0) return;
    assert.equal(after.size, before.size);
    for (const [name, row] of before) assert.equal(after.get(name), row, name);
  },
  "every fact becomes plain data without content, tokens or salts (G9)": eachFact((stated, { secrets }) => {
    const described = asLogged(stated);
    if (described === null) return;
    const { content, ...logged } = described;
    assert(isPlain(logged) && isPlain(content ?? {}), "an event is JSON and nothing else");
    assert(!mentions(logged, secrets), `${stated.fact.type} tells ${JSON.stringify(logged)}`);
  }),
  "a draft lives as long as its hold is open": ({ after }) => {
    for (const [id] of allOf(after, "form_session")) assert.equal(bodyOf(after, "hold", id)?.status, "open");
  },
  "a key leads to a hold": ({ after }) => {
    for (const [, { holdId }] of allOf<{ holdId: string }>(after, "hold_key"))
      assert(bodyOf(after, "hold", holdId));
  },
  "a group is released exactly when its last member has ended": ({ after }) => {
    for (const [, { members, releasedAt }] of allOf<Group>(after, "group")) {
      const isOpen = members.some((id) => bodyOf(after, "hold", id)?.status === "open");
      assert.equal(releasedAt !== undefined, !isOpen);
    }
  },
};

export function checkInvariants(walked: Walked): void {
  const changed = changedHolds(walked);
  for (const [promise, check] of Object.entries(CHECKS)) {
    try {
      check(walked, changed);
    } catch (cause) {
      throw new Error(`${promise}: broken by ${walked.command.kind} at ${walked.now}`, { cause });
    }
  }
}

function changedHolds({ before, after }: Walked): readonly Change[] {
  const holds = [...allOf<Hold>(after, "hold")].map(([id, hold]) => ({
    before: bodyOf(before, "hold", id),
    after: hold,
  }));
  return holds.filter((change) => change.after !== change.before);
}

function eachHold(check: (before: Hold | undefined, after: Hold, walked: Walked) => void): Check {
  return (walked, changed) => {
    for (const { before, after } of changed) check(before, after, walked);
  };
}

function eachFact(check: (stated: Recorded, walked: Walked) => void): Check {
  return (walked) => {
    for (const stated of walked.decision.facts) check(stated, walked);
  };
}

function eachHoldFact(check: (id: string, fact: HoldFact, walked: Walked) => void): Check {
  return eachFact(({ id, fact }, walked) => {
    if (fact.type.startsWith("hold.")) check(id, fact as HoldFact, walked);
  });
}

function* allOf<B>(rows: Rows, kind: string): Generator<readonly [string, B]> {
  const prefix = `${kind} `;
  for (const [name, { body }] of rows)
    if (name.startsWith(prefix)) yield [name.slice(prefix.length), body as B];
}

/** What even erasing leaves of an outcome. */
function core(outcome: Outcome | undefined) {
  if (outcome === undefined) return undefined;
  const { kind, at } = outcome;
  return kind === "decided" ? { kind, at, action: outcome.action, door: outcome.door } : { kind, at };
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== "object" || value === null) {
    return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  }
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

function mentions(value: unknown, secrets: readonly string[]): boolean {
  const text = JSON.stringify(value);
  return secrets.some((secret) => text.includes(secret));
}
