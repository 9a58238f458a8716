/** People, teams and holds with a decision rule, for tests of votes. */

import type { Decision, DecisionIn } from "../kernel/decision/decision.ts";
import type { Candidate } from "../kernel/decision/matching.ts";
import type { Person, Team } from "../kernel/people/person.ts";
import type { Principal } from "../kernel/principal.ts";
import { NOW } from "./core-samples.ts";

export function samplePerson(id: string, part: Partial<Person> = {}): Person {
  return {
    ...{ id, name: id, role: "operator", teams: [], accounts: [], status: "active", isVerified: true },
    ...{ source: "api", madeAt: 0, ...part },
  };
}

export function personRow(id: string, part: Partial<Person> = {}) {
  return { kind: "person", id, body: samplePerson(id, part) } as const;
}

export function teamRow(id: string, members: readonly string[]) {
  const body: Team = { id, name: id, members, source: "api", madeAt: 0 };
  return { kind: "team", id, body } as const;
}

/** Signed in as this person. */
export function signedIn(name: string): Principal {
  return { role: "operator", via: "session", id: `session_${name}`, name, signedInAt: NOW };
}

/** A rule as it is frozen: two of the team `finance`, unless the test says otherwise. */
export function rule(part: Partial<DecisionIn> & { readonly excluded?: readonly string[] } = {}): Decision {
  return {
    approve: [{ need: 2, from: ["team:finance"] }],
    ...{ reject: 1, exclude: [], strength: "session", order: "any", excluded: [], ...part },
  };
}

/** The most seats that these voters can fill, found by trying every assignment: what the matching is compared with. */
export function mostSeats(
  voters: readonly Candidate[],
  needs: readonly number[],
  taken: ReadonlySet<string> = new Set(),
): number {
  const [first, ...rest] = voters;
  if (first === undefined) return 0;
  let most = mostSeats(rest, needs, taken);
  for (const { person, stages } of first.seats) {
    if (taken.has(person)) continue;
    for (const stage of stages) {
      const left = needs[stage] ?? 0;
      if (left === 0) continue;
      most = Math.max(most, 1 + mostSeats(rest, needs.with(stage, left - 1), new Set([...taken, person])));
    }
  }
  return most;
}
