/** Decides commands about teams. A team lists its members and each member lists the team; both change in one commit. */

import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type { AddTeam, ChangeTeam, RemoveTeam } from "./commands.ts";
import type { PeopleFact } from "./facts.ts";
import { currentPerson, currentTeam, type Person, type Team } from "./person.ts";

const NO_SUCH_TEAM = failure("not_found", "there is no team with this id");

export function addTeam({ team, by }: AddTeam, draft: Draft, { now }: Context): Reply {
  if (currentTeam(draft, team.id) !== undefined)
    return refuse(failure("already_exists", "a team with this id already exists; use another id"));
  const wrong = whyUnknownMember(team.members, draft);
  if (wrong !== null) return refuse(wrong);
  state(draft, { type: "team.added", team: { ...team, madeAt: now } }, by, now);
  stateMembers(team.id, [], team.members, draft, by, now);
  return accept(team.id);
}

export function changeTeam({ teamId, patch, by }: ChangeTeam, draft: Draft, { now }: Context): Reply {
  const team = currentTeam(draft, teamId);
  if (team === undefined) return refuse(NO_SUCH_TEAM);
  const wrong = whyUnknownMember(patch.members ?? [], draft);
  if (wrong !== null) return refuse(wrong);
  const next = { ...team, ...patch };
  if (JSON.stringify(next) === JSON.stringify(team)) return accept(teamId);
  state(draft, { type: "team.changed", team: next }, by, now);
  stateMembers(teamId, team.members, next.members, draft, by, now);
  return accept(teamId);
}

export function removeTeam({ teamId, by }: RemoveTeam, draft: Draft, { now }: Context): Reply {
  const team = currentTeam(draft, teamId);
  if (team === undefined) return refuse(NO_SUCH_TEAM);
  state(draft, { type: "team.removed", team: { ...team, members: [], removedAt: now } }, by, now);
  stateMembers(teamId, team.members, [], draft, by, now);
  return accept(teamId);
}

export function whyUnknownTeam(teams: readonly string[], world: World): Failure | null {
  const unknown = teams.find((id) => currentTeam(world, id) === undefined);
  if (unknown === undefined) return null;
  const problems = [{ key: "/teams", rule: "team", message: `there is no team with the id ${unknown}` }];
  return failure("unknown_team", "a team that is named does not exist; add it first", { problems });
}

function whyUnknownMember(members: readonly string[], world: World): Failure | null {
  const unknown = members.find((id) => currentPerson(world, id) === undefined);
  if (unknown === undefined) return null;
  const problems = [
    { key: "/members", rule: "person", message: `there is no person with the id ${unknown}` },
  ];
  return failure("unknown_person", "a member who is named does not exist; add the person first", {
    problems,
  });
}

/** The person's teams changed: their team rows follow. */
export function stateMemberships(
  personId: string,
  before: readonly string[],
  after: readonly string[],
  draft: Draft,
  by: Principal,
  now: number,
): void {
  for (const teamId of changed(before, after)) {
    const team = draft.get("team", teamId) as Team;
    const others = team.members.filter((id) => id !== personId);
    const members = after.includes(teamId) ? [...others, personId] : others;
    state(draft, { type: "team.changed", team: { ...team, members } }, by, now);
  }
}

/** The team's members changed: the rows of these people follow. */
function stateMembers(
  teamId: string,
  before: readonly string[],
  after: readonly string[],
  draft: Draft,
  by: Principal,
  now: number,
): void {
  for (const personId of changed(before, after)) {
    const person = draft.get("person", personId) as Person;
    const others = person.teams.filter((id) => id !== teamId);
    const teams = after.includes(personId) ? [...others, teamId] : others;
    const fact: PeopleFact = { type: "person.changed", person: { ...person, teams } };
    draft.state({ kind: "person", id: personId, fact, at: now, actor: actorText(by) });
  }
}

function changed(before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...before.filter((id) => !after.includes(id)),
    ...new Set(after.filter((id) => !before.includes(id))),
  ];
}

function state(draft: Draft, fact: PeopleFact & { readonly team: Team }, by: Principal, at: number): void {
  draft.state({ kind: "team", id: fact.team.id, fact, at, actor: actorText(by) });
}
