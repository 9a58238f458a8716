/** Decides who signs in with an account elsewhere, and ends the sessions of a person. */

import { whyNotManage } from "../access/manage.ts";
import { isOwn, startSession } from "../access/sessions.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import type { Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";
import { stateLinked } from "./accounts.ts";
import type { EndSessions, Granted, SignInByAccount } from "./commands.ts";
import { NO_SUCH_PERSON, state, stateAdded, stateChanged, whyTaken } from "./decide.ts";
import { lostVoteNeeds } from "./lost-votes.ts";
import { accountId, currentPerson, currentTeam, emailAccountId, type Person } from "./person.ts";
import { stateMemberships } from "./teams.ts";

/** People sign themselves out everywhere, admins anybody. */
export function endSessions({ personId, by }: EndSessions, draft: Draft, { now }: Context): Reply {
  const denied = isOwn({ name: personId }, by) ? null : whyNotManage(by);
  if (denied !== null) return refuse(denied);
  const person = currentPerson(draft, personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  stateSessionsEnded(person, draft, by, now);
  return accept(personId);
}

/** A session that began in this millisecond ends too. */
function stateSessionsEnded(
  person: Person,
  draft: Draft,
  by: Principal,
  now: number,
  kept?: "last_admin",
): void {
  const next = { ...person, sessionsFrom: now + 1 };
  const why = kept === undefined ? {} : { kept };
  state(draft, person.id, { type: "person.sessions_ended", person: next, ...why }, by, now);
}

export function signInNeeds(command: SignInByAccount, world: World): readonly Need[] {
  const { account, granted, newPerson, session, otherAdmins = [] } = command;
  const id = accountId(account);
  const personId = world.get("account", id)?.personId ?? newPerson.id;
  const person = world.get("person", personId);
  const teams = granted == null ? [] : [...granted.mappedTeams, ...(person?.teams ?? [])];
  return [
    { kind: "account", id },
    { kind: "person", id: personId },
    { kind: "session", id: session.hash },
    ...teams.map((team) => ({ kind: "team", id: team })),
    ...(newPerson.email === undefined ? [] : [{ kind: "account", id: emailAccountId(newPerson.email) }]),
    ...(granted === undefined || person === undefined ? [] : lostVoteNeeds(personId, world)),
    // Locked: two admins who lose their groups at the same moment must not both lose the role.
    ...(losesAdmin(person, granted) ? otherAdmins.map((id) => ({ kind: "person", id })) : []),
  ];
}

function losesAdmin(person: Person | undefined, granted: Granted | null | undefined): boolean {
  if (granted === undefined || granted?.role === "admin") return false;
  return person?.status === "active" && person.role === "admin";
}

/** Whether the groups would leave the workspace without any admin. */
function isLastAdmin(person: Person, { granted, otherAdmins = [] }: SignInByAccount, world: World): boolean {
  if (!losesAdmin(person, granted)) return false;
  const others = otherAdmins.map((id) => currentPerson(world, id));
  return !others.some((other) => other?.status === "active" && other.role === "admin");
}

const NO_ROLE = failure(
  "not_allowed",
  "none of your groups gives you a role here; ask an admin to map one of them",
);
const NOT_LINKED = failure(
  "not_allowed",
  "nobody here has this account; sign in another way and link it, or ask an admin to link it",
);
const SUSPENDED = failure("not_allowed", "you are suspended here; ask an admin");

/** The account decides who signs in: issuer and subject, never an e-mail address. The groups decide the role, each time. */
export function signInByAccount(command: SignInByAccount, draft: Draft, { now }: Context): Reply {
  const { granted } = command;
  const owner = draft.get("account", accountId(command.account))?.personId;
  const known = owner === undefined ? undefined : currentPerson(draft, owner);
  // Groups that give a role restore only somebody whom missing groups suspended.
  const isSuspended = known?.suspendedBy === undefined || granted === undefined;
  if (known?.status === "suspended" && isSuspended) return refuse(SUSPENDED);
  if (granted === null) {
    if (known !== undefined) stateNoRole(known, command, draft, now);
    draft.keepSoFar();
    return refuse(NO_ROLE);
  }
  const person = known ?? (granted === undefined ? NOT_LINKED : added(command, granted, draft, now));
  if ("code" in person) return refuse(person);
  if (known !== undefined && granted !== undefined) stateGranted(known, granted, command, draft, now);
  const role = granted?.role ?? person.role;
  const who = { name: person.id, role, how: "oidc", oidc: command.oidc } as const;
  return startSession(command.session, who, command.lastsMs, draft, now);
}

/** The last admin keeps the role in their row, so that they can come back by another way; this sign-in has what the groups give. */
function stateGranted(
  known: Person,
  granted: Granted,
  command: SignInByAccount,
  draft: Draft,
  now: number,
): void {
  const { by, oidc } = command;
  const isKept = isLastAdmin(known, command, draft);
  const given = { role: isKept ? known.role : granted.role, teams: teamsAfter(known, granted, draft) };
  const patch = { status: "active", suspendedBy: null, roleFrom: oidc.issuer } as const;
  stateChanged(known, { ...given, ...patch }, now, draft, by, now);
  if (isKept) stateSessionsEnded(draft.get("person", known.id) as Person, draft, by, now, "last_admin");
}

/**
 * The role that this provider's groups gave is gone, by whatever way the person comes. Somebody who has the role from an admin
 * keeps it, and so does the last admin; only the sessions end.
 */
function stateNoRole(person: Person, command: SignInByAccount, draft: Draft, now: number): void {
  const { by, oidc } = command;
  const { roleFrom = person.source === "oidc" ? oidc.issuer : undefined } = person;
  const patch = { status: "suspended", suspendedBy: "groups" } as const;
  if (roleFrom !== oidc.issuer) stateSessionsEnded(person, draft, by, now);
  else if (isLastAdmin(person, command, draft)) stateSessionsEnded(person, draft, by, now, "last_admin");
  else stateChanged(person, patch, now + 1, draft, by, now);
}

/** Adds the person and links the account. */
function added(command: SignInByAccount, granted: Granted, draft: Draft, now: number): Person | Failure {
  const { by, newPerson, account } = command;
  const { id, name, email } = newPerson;
  if (draft.get("person", id) !== undefined)
    return failure("not_allowed", "the person of this account was erased here; ask an admin");
  const isFree = email !== undefined && whyTaken(id, email, draft) === null;
  const teams = teamsAfter({ teams: [] }, granted, draft);
  const given = { id, name, role: granted.role, teams, isVerified: true, source: "oidc" } as const;
  const from = { roleFrom: command.oidc.issuer };
  const person = { ...given, ...from, ...(isFree ? { email } : {}) };
  stateAdded(person, draft, by, now);
  stateMemberships(id, [], teams, draft, by, now);
  const row = draft.get("person", id) as Person;
  stateLinked(row, account, by, draft, now);
  return row;
}

/** Teams that no group decides about stay as they are. A team that does not exist is left out. */
function teamsAfter(
  { teams }: Pick<Person, "teams">,
  { teams: given, mappedTeams }: Granted,
  world: World,
): readonly string[] {
  const kept = teams.filter((team) => !mappedTeams.includes(team) || given.includes(team));
  const joined = given.filter((team) => !kept.includes(team) && currentTeam(world, team) !== undefined);
  return joined.length === 0 && kept.length === teams.length ? teams : [...kept, ...joined];
}
