/**
 * Runs all sequences of commands up to a length, over alphabets that contain every command and every kind of actor.
 * Two sequences that lead to the same state continue in the same way, so each state is continued only once.
 */

import { describe, expect, test } from "vitest";
import type { Command } from "../../domains.ts";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  DEV,
  holdIn,
  newLink,
  OPERATOR,
  OTHER_AGENT,
  reviewer,
} from "../../testing/core-samples.ts";
import { bodyOf, type Rows, runStep } from "../../testing/core-step.ts";
import type { BareCommand } from "../../testing/given.ts";
import { checkInvariants } from "../../testing/hold-invariants.ts";
import type { Principal } from "../principal.ts";
import { SYSTEM } from "../principal.ts";
import type { HoldIn } from "./commands.ts";

/** Marks inside content, names, salts and hashes, to find them wherever they must not appear. */
const SECRETS = ["CONTENT", "PERSON", "SALT", "HASH"];

type Letter =
  | { readonly kind: "clock"; readonly ms: number }
  | { readonly kind: "command"; readonly command: (rows: Rows) => Command };

function say(by: Principal, command: BareCommand | ((rows: Rows) => BareCommand)): Letter {
  const bare = typeof command === "function" ? command : () => command;
  return { kind: "command", command: (rows) => ({ ...bare(rows), workspace: "default", by }) as Command };
}

const clock = (ms: number): Letter => ({ kind: "clock", ms });

interface State {
  readonly rows: Rows;
  readonly now: number;
}

/** Runs every sequence up to `length` and returns which facts and refusals occurred. */
function walk(alphabet: readonly Letter[], length: number, rows: Rows = new Map()): ReadonlySet<string> {
  let frontier: readonly State[] = [{ rows, now: 0 }];
  const seen = new Set<string>();
  const met = new Set<string>();
  for (let depth = 0; depth < length; depth += 1) {
    const next: State[] = [];
    for (const state of frontier) {
      for (const letter of alphabet) {
        const after =
          letter.kind === "clock" ? { ...state, now: state.now + letter.ms } : stepTo(state, letter, met);
        const text = textOf(after);
        if (seen.has(text)) continue;
        seen.add(text);
        next.push(after);
      }
    }
    frontier = next;
  }
  return met;
}

function stepTo({ rows, now }: State, letter: Extract<Letter, { kind: "command" }>, met: Set<string>): State {
  const command = letter.command(rows);
  const step = runStep(rows, command, now);
  checkInvariants({ ...step, command, now, secrets: SECRETS });
  for (const { fact } of step.decision.facts) met.add(fact.type);
  const { reply } = step.decision;
  if (!reply.ok) met.add(`refused ${reply.failure.code}`);
  return { rows: step.after, now };
}

const texts = new WeakMap<object, string>();

function textOf({ rows, now }: State): string {
  const bodies = [...rows].map(([name, { body }]) => {
    const text = texts.get(body) ?? JSON.stringify(body);
    texts.set(body, text);
    return `${name} ${text}`;
  });
  return `${now} ${bodies.toSorted().join(" ")}`;
}

const REVIEW = newLink({ id: "link_1", hash: "HASH-1", recipient: "PERSON-1" });
const INLINE = newLink({ id: "link_2", hash: "HASH-2", purpose: "submit", actions: ["approve"] });
const PERSON = reviewer(REVIEW);
const h1 = { holdId: "h1" } as const;
const byLink = { ...h1, linkHash: "HASH-1" } as const;

const HELD: HoldIn = holdIn({
  key: "CONTENT-key",
  salt: "SALT-1",
  ask: { type: "approval", prompt: "CONTENT-prompt", context: { about: "CONTENT-context" } },
  expires: { afterMs: 100 },
  onTimeout: { action: "reject", data: { why: "CONTENT-default" } },
  rungs: [
    { kind: "reminder", when: { afterMs: 20 }, channel: "chat", to: "PERSON-2" },
    { kind: "attempt", when: { afterMs: 40 }, channel: "mail", to: "PERSON-3" },
    { kind: "attempt", when: { afterMs: 100 } },
  ],
  metadata: { run: "CONTENT-run" },
  callbackUrl: "https://agent.test/CONTENT",
  face: { words: "CONTENT-face" },
  retainMs: 150,
  newLinks: [REVIEW],
});
const again = (part: Partial<HoldIn> = {}): BareCommand => ({
  kind: "place_hold",
  hold: { ...HELD, id: "h2", salt: "SALT-2", newLinks: [], ...part },
});
const answer = (action: string) =>
  ({ kind: "answer_hold", ...h1, action, data: { note: "CONTENT-note" }, door: "rest" }) as const;
const claim = (claimId: string) => (rows: Rows) =>
  ({
    kind: "claim_hold",
    ...h1,
    claimId,
    digest: bodyOf(rows, "hold", "h1")?.digest ?? "",
    leaseMs: 60,
  }) as const;
const finish = (ok: boolean): BareCommand => ({
  kind: "finish_claim",
  ...h1,
  claimId: "c1",
  ok,
  detail: { tx: "CONTENT-tx" },
});
const draft = { values: { note: "CONTENT-draft" }, step: 0 };

/** The commands on one hold. */
const ONE_HOLD: readonly Letter[] = [
  say(AGENT, { kind: "place_hold", hold: HELD }),
  say(AGENT, again()),
  say(AGENT, again({ ask: { type: "approval", prompt: "CONTENT-other" } })),
  say(OPERATOR, { ...answer("approve"), data: { note: "CONTENT-note" } }),
  say(PERSON, { ...answer("reject"), ...byLink, door: "page" }),
  say(OPERATOR, answer("dance")),
  say(AGENT, { kind: "cancel_hold", ...h1, reason: "CONTENT-reason" }),
  say(PERSON, { kind: "cancel_hold", ...byLink }),
  say(PERSON, { kind: "open_hold", ...byLink }),
  say(PERSON, { kind: "progress_hold", ...byLink, draft }),
  say(SYSTEM, { kind: "tick_hold", ...h1 }),
  clock(19),
  clock(25),
  clock(100),
  clock(1_000),
  say(AGENT, claim("c1")),
  say(AGENT, claim("c2")),
  say(AGENT, finish(true)),
  say(OPERATOR, { kind: "release_claim", ...h1 }),
  say(OPERATOR, { kind: "revoke_hold", ...h1 }),
  say(ADMIN, { kind: "erase_hold", ...h1 }),
  say(OPERATOR, { kind: "make_link", ...h1, link: INLINE }),
  say(OPERATOR, { kind: "revoke_link", ...h1, linkHash: "HASH-1" }),
];

/** Callers who try what they may not do, on an existing hold whose approval may be claimed. */
const STRANGERS: readonly Letter[] = [
  ...[AGENT, OTHER_AGENT, APP, { ...APP, claimed: { name: "PERSON-4" } }, AUDITOR, SYSTEM].flatMap((by) => [
    say(by, answer("approve")),
    say(by, { kind: "open_hold", ...h1 }),
    say(by, { kind: "cancel_hold", ...h1 }),
  ]),
  say({ ...OPERATOR, name: AGENT.name }, answer("approve")),
  say(DEV, answer("approve")),
  say(reviewer(INLINE), { ...answer("approve"), linkHash: "HASH-2" }),
  say(reviewer(INLINE), { ...answer("reject"), linkHash: "HASH-2" }),
  say(reviewer(INLINE), { kind: "cancel_hold", ...h1, linkHash: "HASH-2" }),
  say(OPERATOR, { kind: "make_link", ...h1, link: INLINE }),
  say(OPERATOR, { kind: "revoke_link", ...h1, linkHash: "HASH-2" }),
  say(OTHER_AGENT, claim("c1")),
  say(OPERATOR, claim("c1")),
  say(AGENT, finish(false)),
  say(AGENT, { kind: "erase_hold", ...h1 }),
  ...[OTHER_AGENT, AUDITOR, SYSTEM].map((by) => say(by, { kind: "revoke_hold", ...h1 })),
  say(AGENT, again({ after: "h1" })),
  say(AGENT, again({ id: "h3", key: "CONTENT-key-3", previous: "h1" })),
  say(SYSTEM, { kind: "tick_hold", ...h1 }),
  clock(45),
  clock(100),
];

const member = (id: string, part: Partial<HoldIn>): HoldIn =>
  holdIn({ id, salt: `SALT-${id}`, key: `CONTENT-${id}`, retainMs: 80, ...part });
const MEMBERS: readonly HoldIn[] = [
  member("a", { ask: { type: "approval", prompt: "CONTENT-a" }, expires: { afterMs: 50 }, newLinks: [] }),
  member("b", {
    ask: { type: "input", prompt: "CONTENT-b" },
    expires: { afterMs: 90 },
    newLinks: [{ ...REVIEW, hash: "HASH-b" }],
  }),
];
const entries = {
  yes: { holdId: "a", action: "approve", data: { note: "CONTENT-yes" } },
  text: { holdId: "b", action: "submit", data: { text: "CONTENT-text" } },
  odd: { holdId: "a", action: "dance" },
  drop: { holdId: "b", reason: "CONTENT-drop" },
} as const;
const resume = (...names: readonly (keyof typeof entries)[]): BareCommand => ({
  kind: "answer_group",
  groupId: "g1",
  entries: names.map((name) => entries[name]),
  door: "agui",
});

/** Two holds that are placed together and answered together or one by one. */
const ONE_GROUP: readonly Letter[] = [
  say(AGENT, { kind: "place_group", groupId: "g1", threadId: "t", holds: MEMBERS }),
  say(AGENT, {
    kind: "place_group",
    groupId: "g2",
    holds: MEMBERS.map((hold) => ({ ...hold, id: `${hold.id}2` })),
  }),
  say(AGENT, { kind: "place_hold", hold: { ...MEMBERS[0], id: "a3" } as HoldIn }),
  say(OPERATOR, resume("yes", "text")),
  say(OPERATOR, resume("yes", "drop")),
  say(OPERATOR, resume("yes")),
  say(OPERATOR, resume("odd", "text")),
  say(AGENT, resume("yes", "text")),
  say(OTHER_AGENT, resume("yes", "text")),
  say(OPERATOR, { kind: "answer_hold", ...entries.yes, door: "rest" }),
  say(reviewer(REVIEW), { kind: "answer_hold", ...entries.text, linkHash: "HASH-b", door: "page" }),
  say(AGENT, { kind: "cancel_hold", holdId: "b" }),
  say(reviewer(REVIEW), { kind: "progress_hold", holdId: "b", linkHash: "HASH-b", draft }),
  say(SYSTEM, { kind: "tick_hold", holdId: "a" }),
  say(SYSTEM, { kind: "tick_hold", holdId: "b" }),
  say(ADMIN, { kind: "erase_hold", holdId: "a" }),
  clock(50),
  clock(90),
  clock(1_000),
];

const LENGTH = 5;

const ENDINGS = ["hold.decided", "hold.expired", "hold.cancelled", "hold.erased"];
const CLAIMS = ["hold.claimed", "hold.claim_done", "hold.claim_unknown", "hold.claim_released"];

describe(`every sequence of up to ${LENGTH} commands keeps every invariant`, () => {
  test("all sequences on one hold keep every invariant and reach every ending and claim state", () => {
    const looks = ["hold.opened", "hold.progressed", "hold.draft_saved", "hold.reminded", "hold.escalated"];
    const refusals = [
      "already_settled",
      "hold_expired",
      "key_reused",
      "claim_taken",
      "not_claimable",
      "not_allowed",
    ];
    expectMet(
      walk(ONE_HOLD, LENGTH, placed()),
      [...ENDINGS, ...CLAIMS, ...looks, "hold.link_revoked", "hold.revoked"],
      refusals,
    );
  });

  test("all sequences of callers without permission keep every invariant", () => {
    expectMet(walk(STRANGERS, LENGTH, placed()), [...ENDINGS, "hold.followed"], ["not_allowed", "not_found"]);
  });

  test("all sequences on a group keep every invariant and release the group", () => {
    const refusals = ["group_incomplete", "hold_expired", "invalid_action", "not_allowed", "not_found"];
    expectMet(walk(ONE_GROUP, LENGTH), [...ENDINGS, "group.placed", "group.released"], refusals);
  });
});

function placed(): Rows {
  const place = { kind: "place_hold", workspace: "default", by: AGENT, hold: HELD } as const;
  return runStep(new Map(), place, 0).after;
}

/** A walk that never reached these facts and refusals would prove nothing about them. */
function expectMet(met: ReadonlySet<string>, facts: readonly string[], refusals: readonly string[]): void {
  const missing = [...facts, ...refusals.map((code) => `refused ${code}`)].filter((one) => !met.has(one));
  expect(missing).toEqual([]);
}
