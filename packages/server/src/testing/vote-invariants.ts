/** What must be so after every command on a hold with a decision rule, checked without the code that counts the votes. */

import assert from "node:assert/strict";
import type { Decision, Vote } from "../kernel/decision/decision.ts";
import type { Hold } from "../kernel/hold/hold.ts";
import type { Voter } from "../kernel/people/person.ts";
import { bodyOf, type Rows } from "./core-step.ts";
import { mostSeats } from "./people.ts";

export function checkVotes(before: Rows, rows: Rows, holdId: string): void {
  const hold = bodyOf(rows, "hold", holdId);
  if (hold?.decision === undefined) return;
  const { decision, votes = [], status, outcome } = hold;
  const people = votes.map(({ person }) => person);
  assert.equal(new Set(people).size, people.length, "nobody is counted twice");
  for (const person of people) assert(!decision.excluded.includes(person), `${person} is excluded and voted`);
  assert.deepEqual(hold.decision, bodyOf(before, "hold", holdId)?.decision ?? decision, "the rule is frozen");
  checkVoters(hold, rows);
  const met = isMet(decision, votes);
  if (status === "open") {
    assert(!met, "an open hold has votes that meet its rule");
    for (const person of people)
      assert.equal(
        bodyOf(rows, "person", person)?.status,
        "active",
        `${person} is suspended and still counts`,
      );
  } else if (outcome?.kind === "decided") {
    assert(met, "a hold was decided below its rule");
    assert.equal(votes.at(-1)?.action, outcome.action, "the last vote decided");
  }
}

/** Each voter's list names exactly the open holds that they have voted on. */
function checkVoters({ id, status, votes = [] }: Hold, rows: Rows): void {
  for (const [name, { body }] of rows) {
    if (!name.startsWith("voter ")) continue;
    const hasVoted = status === "open" && votes.some(({ person }) => name === `voter ${person}`);
    assert.equal((body as Voter).holds.includes(id), hasVoted, `${name} lists ${id}`);
  }
}

const AGAINST = new Set(["reject", "edit", "cancel", "abort"]);

/** Whether these votes meet the rule. */
export function isMet({ approve, reject }: Decision, votes: readonly Vote[]): boolean {
  const needs = approve.map(({ need }) => need);
  const against = votes.filter(({ action }) => AGAINST.has(action));
  const anywhere = against.map((vote) => ({
    ...vote,
    seats: vote.seats.map((seat) => ({ ...seat, stages: [0] })),
  }));
  if (mostSeats(anywhere, [reject]) >= reject) return true;
  const answers = new Set(votes.map(({ action, answer }) => `${action} ${answer}`));
  const wanted = needs.reduce((sum, need) => sum + need, 0);
  return [...answers].some((one) => {
    const camp = votes.filter(({ action, answer }) => !AGAINST.has(action) && `${action} ${answer}` === one);
    return mostSeats(camp, needs) === wanted;
  });
}
