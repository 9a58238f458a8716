/** Every sequence of votes, changes of mind, absences, suspensions and the clock, up to a length, on one hold. */

import type { Command } from "../domains.ts";
import type { Decision } from "../kernel/decision/decision.ts";
import { type Principal, SYSTEM } from "../kernel/principal.ts";
import { ADMIN, openHold } from "./core-samples.ts";
import { type Row, type Rows, rowName, runStep } from "./core-step.ts";
import type { BareCommand } from "./given.ts";
import { personRow, signedIn, teamRow } from "./people.ts";
import { checkVotes } from "./vote-invariants.ts";

export const EXPIRES_AT = 100;

export interface VoteMove {
  readonly by?: Principal;
  readonly command?: BareCommand;
  /** Moves the clock instead. */
  readonly waitMs?: number;
}

const answer = (action: string, data = {}) =>
  ({ kind: "answer_hold", holdId: "h1", action, data, door: "rest" }) as const;
const change = (personId: string, patch: object) =>
  ({ kind: "change_person", personId, patch }) as BareCommand;

/** ada, grace and lin are in finance; eve is nobody's until she stands in for lin. */
export const MOVES: readonly VoteMove[] = [
  ...["ada", "grace", "lin", "eve"].flatMap((name): VoteMove[] => [
    { by: signedIn(name), command: answer("approve") },
    { by: signedIn(name), command: answer("reject") },
  ]),
  { by: signedIn("ada"), command: answer("approve", { edited_args: { amount: 1 } }) },
  { by: signedIn("grace"), command: answer("approve", { edited_args: { amount: 1 } }) },
  { by: signedIn("ada"), command: { kind: "withdraw_vote", holdId: "h1" } },
  { by: ADMIN, command: change("ada", { status: "suspended" }) },
  { by: ADMIN, command: change("ada", { status: "active" }) },
  { by: ADMIN, command: change("lin", { absence: { from: 0, until: 60, delegate: "eve" } }) },
  { waitMs: 60 },
  { by: SYSTEM, command: { kind: "tick_hold", holdId: "h1" } },
];

export function startRows(decision: Decision): Rows {
  const people = ["ada", "grace", "lin", "eve"].map((id) => personRow(id));
  const hold = openHold({ decision, expiresAt: EXPIRES_AT });
  const rows = [...people, teamRow("finance", ["ada", "grace", "lin"])];
  return new Map<string, Row>([
    ...rows.map(({ kind, id, body }): [string, Row] => [rowName(kind, id), { body, version: 1 }]),
    [rowName("hold", "h1"), { body: hold, version: 1 }],
    [rowName("ruled_hold", "h1"), { body: { holdId: "h1" }, version: 1 }],
  ]);
}

export interface VoteState {
  readonly rows: Rows;
  readonly now: number;
}

export function moveOn({ rows, now }: VoteState, move: VoteMove, met: Set<string>): VoteState {
  if (move.command === undefined) return { rows, now: now + (move.waitMs ?? 0) };
  const command = { ...move.command, workspace: "default", by: move.by } as Command;
  const { after, decision } = runStep(rows, command, now);
  checkVotes(rows, after, "h1");
  for (const { fact } of decision.facts) met.add(fact.type);
  if (!decision.reply.ok) met.add(decision.reply.failure.code);
  return { rows: after, now };
}

/** Two sequences that lead to the same rows at the same time continue alike, so each state is continued once. */
export function walkVotes(decision: Decision, length: number) {
  const met = new Set<string>();
  const seen = new Set<string>();
  let frontier: readonly VoteState[] = [{ rows: startRows(decision), now: 0 }];
  for (let depth = 0; depth < length; depth += 1) {
    const next: VoteState[] = [];
    for (const state of frontier) {
      for (const move of MOVES) {
        const after = moveOn(state, move, met);
        const text = `${after.now} ${JSON.stringify([...after.rows].map(([name, { body }]) => [name, body]))}`;
        if (seen.has(text)) continue;
        seen.add(text);
        next.push(after);
      }
    }
    frontier = next;
  }
  return { met, states: seen.size };
}

/** Rules that differ in stages, thresholds, order and exclusions. */
export const RULES: Readonly<Record<string, Partial<Decision>>> = {
  "two of a team": { approve: [{ need: 2, from: ["team:finance"] }] },
  "two of a team and one person of it": {
    approve: [
      { need: 2, from: ["team:finance"] },
      { need: 1, from: ["person:lin"] },
    ],
    reject: 2,
  },
  "one after the other": {
    approve: [
      { need: 1, from: ["person:ada", "person:grace"] },
      { need: 1, from: ["team:finance"] },
    ],
    order: "listed",
  },
  "with somebody excluded": {
    approve: [{ need: 2, from: ["team:finance", "person:eve"] }],
    excluded: ["grace"],
    reject: 2,
  },
};
