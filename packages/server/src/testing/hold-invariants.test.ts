/** Each promise has a canary: a step that breaks it and must be caught. A checker that never fails checks nothing. */

import { expect, test } from "vitest";
import type { Hold } from "../kernel/hold/hold.ts";
import { SYSTEM } from "../kernel/principal.ts";
import {
  AGENT,
  APP,
  APPROVED,
  AUDITOR,
  DEV,
  decidedHold,
  NOW,
  OPERATOR,
  openHold,
  WORKSPACE,
} from "./core-samples.ts";
import { applyFacts, type Rows } from "./core-step.ts";
import { type BareCommand, given } from "./given.ts";
import { checkInvariants, type Walked } from "./hold-invariants.ts";

const command = { kind: "tick_hold", holdId: "h1", workspace: WORKSPACE, by: SYSTEM } as const;
const accepted = { facts: [], reply: { ok: true, id: "h1", fresh: true } } as const;
const refused = { facts: [], reply: { ok: false, failure: { code: "not_allowed", message: "" } } } as const;

function walked(before: Rows, after: Rows, part: Partial<Walked> = {}): Walked {
  return { before, after, decision: accepted, command, now: NOW, secrets: ["SECRET"], ...part };
}

const holds = (...list: readonly Hold[]): Rows => given(...list).rows;
const from = (before: Hold, after: Hold, part: Partial<Walked> = {}) =>
  walked(holds(before), holds(after), part);
const by = (principal: Walked["command"]["by"]) => ({ command: { ...command, by: principal } });
const stated = (fact: Walked["decision"]["facts"][number]["fact"], before: Hold, actor = "system") => {
  const facts = [{ kind: "hold", id: "h1", fact, at: NOW, actor }] as const;
  return walked(holds(before), applyFacts(holds(before), facts), { decision: { ...accepted, facts } });
};
const expired = { kind: "expired", at: 50 } as const;
const rung = { at: NOW, kind: "attempt", n: 2 } as const;
const claim = { id: "c", by: "key:refunder", at: 1, until: 9_999, state: "claimed" } as const;
const revoked = { at: 5, by: APPROVED.by };
const decidedNow = decidedHold({ outcome: { ...APPROVED, at: NOW } });
const group = {
  kind: "group",
  id: "g1",
  body: { id: "g1", createdBy: "a", createdAt: 0, members: ["h1"] },
} as const;

const CANARIES: readonly (readonly [string, Walked])[] = [
  ["at most one outcome", from(decidedHold(), decidedHold({ outcome: { ...APPROVED, action: "reject" } }))],
  ["at most one outcome", from(decidedHold(), decidedHold({ outcome: { ...APPROVED, data: { a: 1 } } }))],
  ["at most one outcome", from(decidedHold(), openHold())],
  ["status says how it ended", from(openHold(), openHold({ status: "decided" }))],
  [
    "only what a person decided",
    from(
      openHold({ expiresAt: 50 }),
      openHold({ status: "expired", expiresAt: 50, outcome: { ...expired, by: APPROVED.by } as never }),
    ),
  ],
  [
    "looking never decides",
    from(openHold(), decidedNow, { command: { ...command, kind: "open_hold", by: OPERATOR } }),
  ],
  ["who asks cannot answer", from(openHold(), decidedNow, by(AGENT))],
  ["who asks cannot answer", from(openHold(), decidedNow, by(AUDITOR))],
  ["who asks cannot answer", from(openHold(), decidedNow, by(APP))],
  ["who asks cannot answer", from(openHold(), decidedNow, by({ ...OPERATOR, name: "refunder" }))],
  [
    "an answer comes before the expiry",
    from(openHold({ expiresAt: NOW }), { ...decidedNow, expiresAt: NOW }, by(OPERATOR)),
  ],
  [
    "an answer comes before the expiry",
    from(openHold({ expiresAt: 60 }), openHold({ expiresAt: 60, status: "expired", outcome: expired })),
  ],
  ["what was asked never changes", from(openHold(), openHold({ digest: "sha256:other" }))],
  ["nobody begins what they have not opened", from(openHold(), openHold({ progressedAt: 5 }))],
  ["an erased hold carries neither", from(decidedHold(), decidedHold({ erasedAt: 5 }))],
  ["an erased hold carries neither", from(decidedHold(), decidedHold({ erasedAt: 5, ask: null }))],
  [
    "an erased hold carries neither",
    from(decidedHold(), decidedHold({ erasedAt: 5, ask: null, salt: null, metadata: { a: "SECRET" } })),
  ],
  ["after a tick nothing is due", from(openHold(), openHold({ rungs: [rung] }))],
  [
    "a rung passes at most once",
    stated(
      { type: "hold.escalated", index: 0, rung: { ...rung, state: "fired" } },
      openHold({ rungs: [{ ...rung, state: "missed" }] }),
    ),
  ],
  [
    "a rung passes at most once",
    stated(
      { type: "hold.escalated", index: 0, rung: { ...rung, at: NOW + 1, state: "fired" } },
      openHold({ rungs: [rung] }),
    ),
  ],
  ["claimed as often as was approved", stated({ type: "hold.claimed", claim }, decidedHold({ claim }))],
  ["claimed as often as was approved", stated({ type: "hold.claimed", claim }, openHold())],
  ["claimed as often as was approved", stated({ type: "hold.claimed", claim }, decidedHold({ revoked }))],
  [
    "claimed as often as was approved",
    stated({ type: "hold.claimed", claim }, decidedHold({ claim: { ...claim, state: "done" } })),
  ],
  ["what was taken back stays so", from(decidedHold({ revoked }), decidedHold())],
  ["a refusal leaves everything", from(openHold(), openHold({ openedAt: 5 }), { decision: refused })],
  [
    "a refusal leaves everything",
    from(openHold(), openHold(), {
      decision: { ...refused, facts: stated({ type: "hold.opened" }, openHold(), "key:ada").decision.facts },
    }),
  ],
  ["every fact becomes plain data", stated({ type: "hold.followed", next: "SECRET" }, openHold())],
  ["every fact becomes plain data", stated({ type: "hold.followed", next: new Map() as never }, openHold())],
  ["every fact becomes plain data", stated({ type: "hold.followed", next: undefined as never }, openHold())],
  [
    "a draft lives as long",
    walked(
      holds(decidedHold()),
      given(decidedHold(), {
        kind: "form_session",
        id: "h1",
        body: { holdId: "h1", values: {}, step: 0, savedAt: 1 },
      }).rows,
    ),
  ],
  [
    "a key leads to a hold",
    walked(holds(), given({ kind: "hold_key", id: "k", body: { holdId: "h9" } }).rows),
  ],
  ["a group is released exactly", walked(holds(), given(group).rows)],
  [
    "a group is released exactly",
    walked(holds(), given(openHold(), { ...group, body: { ...group.body, releasedAt: 5 } }).rows),
  ],
];

test.each(CANARIES)("checkInvariants throws when this rule is broken: %s …", (promise, broken) => {
  expect(() => checkInvariants(broken)).toThrow(promise);
});

test("checkInvariants accepts a step that keeps every rule", () => {
  const answer: BareCommand = {
    kind: "answer_hold",
    holdId: "h1",
    action: "approve",
    data: {},
    door: "rest",
  };
  const { step } = given(openHold()).when(answer, { by: DEV });
  checkInvariants({
    ...step,
    command: { ...answer, workspace: WORKSPACE, by: DEV },
    now: NOW,
    secrets: ["salt-1"],
  });
});
