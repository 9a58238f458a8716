/** Who may vote on a hold now, and in whose name. Teams and absences are read when somebody votes, not when the hold is placed. */

import { canCount, currentTeam, isAway, type Person } from "../people/person.ts";
import type { Need, World } from "../world.ts";
import { type Decision, readSource, type Seat } from "./decision.ts";

type Rule = Pick<Decision, "approve">;

/** How many times a delegate may be away and pass on to their own delegate. */
const CHAIN_MAX = 2;

/** The teams and people of the rule, and the delegates of those who are away. None of them is changed by a vote. */
export function ruleNeeds(rule: Rule, world: World): readonly Need[] {
  const needs: Need[] = [];
  const wanted = new Set<string>();
  for (const { kind, id } of sourcesOf(rule)) {
    if (kind === "person") wanted.add(id);
    else {
      needs.push({ kind: "team", id, read: true });
      for (const member of currentTeam(world, id)?.members ?? []) wanted.add(member);
    }
  }
  for (const id of [...wanted]) addDelegates(id, CHAIN_MAX, wanted, world);
  for (const id of wanted) needs.push({ kind: "person", id, read: true });
  return needs;
}

function addDelegates(id: string, depth: number, wanted: Set<string>, world: World): void {
  const delegate = world.get("person", id)?.absence?.delegate;
  if (delegate === undefined || depth === 0) return;
  wanted.add(delegate);
  addDelegates(delegate, depth - 1, wanted, world);
}

export function sourcesOf({ approve }: Rule) {
  return approve.flatMap(({ from }) => from.map(readSource));
}

/** The people whom the rule names, directly or by team, each with the stages that they may fill. */
export function stagesByPerson({ approve }: Rule, world: World): ReadonlyMap<string, readonly number[]> {
  const stages = new Map<string, number[]>();
  for (const [stage, { from }] of approve.entries()) {
    const people = from
      .map(readSource)
      .flatMap(({ kind, id }) => (kind === "person" ? [id] : membersOf(id, world)));
    for (const id of new Set(people)) {
      const before = stages.get(id);
      if (before === undefined) stages.set(id, [stage]);
      else before.push(stage);
    }
  }
  return stages;
}

function membersOf(teamId: string, world: World): readonly string[] {
  return currentTeam(world, teamId)?.members ?? [];
}

/** The seats that this person may fill now: their own, and those of absent people whose delegate they are. */
export function seatsOf(personId: string, decision: Decision, world: World, now: number): readonly Seat[] {
  if (!mayCount(personId, decision, world)) return [];
  const own: Seat[] = [];
  const others: Seat[] = [];
  for (const [person, stages] of stagesByPerson(decision, world)) {
    if (person === personId) own.push({ person, stages });
    else if (mayCount(person, decision, world) && standInFor(person, world, now) === personId)
      others.push({ person, stages });
  }
  return [...own, ...others];
}

/** The person counts towards decisions, and the rule does not exclude them. */
export function mayCount(personId: string, { excluded }: Decision, world: World): boolean {
  return canCount(world.get("person", personId)) && !excluded.includes(personId);
}

/** Who acts for an absent person: their delegate, or the delegate's delegate if that one is away too. */
export function standInFor(personId: string, world: World, now: number): string | undefined {
  let id = personId;
  for (let depth = 0; depth < CHAIN_MAX; depth += 1) {
    const next = delegateOf(world.get("person", id), now);
    if (next === undefined || next === personId) return undefined;
    if (!isAway(world.get("person", next), now)) return next;
    id = next;
  }
  return undefined;
}

function delegateOf(person: Person | undefined, now: number): string | undefined {
  return isAway(person, now) ? person?.absence?.delegate : undefined;
}
