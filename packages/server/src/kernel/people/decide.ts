/** Decides commands about people: who may change whom, and what else changes in the same commit. */

import { whyStale } from "../access/fresh.ts";
import { whyNotManage } from "../access/manage.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type { AddPerson, ChangePerson, ErasePerson, PersonPatch } from "./commands.ts";
import type { PeopleFact, PersonFactType } from "./facts.ts";
import { stateLostVotes } from "./lost-votes.ts";
import {
  type Absence,
  AN_ADMIN,
  canCount,
  currentPerson,
  emailAccountId,
  type Person,
  personIdOf,
} from "./person.ts";
import { stateMemberships, whyUnknownTeam } from "./teams.ts";

export const NO_SUCH_PERSON = failure("not_found", "there is no person with this id");

export function addPerson({ person, by }: AddPerson, draft: Draft, { now }: Context): Reply {
  if (draft.get("person", person.id) !== undefined)
    return refuse(failure("already_exists", "a person with this id already exists; use another id"));
  const wrong = whyUnknownTeam(person.teams, draft) ?? whyTaken(person.id, person.email, draft);
  if (wrong !== null) return refuse(wrong);
  stateAdded(person, draft, by, now);
  stateMemberships(person.id, [], person.teams, draft, by, now);
  return accept(person.id);
}

/** Adds the person without asking anything: the caller knows that there is no row. */
export function stateAdded(person: AddPerson["person"], draft: Draft, by: Principal, now: number): void {
  const added = { ...person, accounts: [], status: "active", madeAt: now } as const;
  state(draft, person.id, { type: "person.added", person: added }, by, now);
}

/** People may change these themselves; everything else is the admins'. */
const OWN: ReadonlySet<string> = new Set([
  "absence",
  "timeZone",
  "language",
  "preferredChannel",
  "quietHours",
]);

export function changePerson(command: ChangePerson, draft: Draft, { now }: Context): Reply {
  const { personId, patch, by } = command;
  const denied = whyNotChange(command, now);
  if (denied !== null) return refuse(denied);
  const person = currentPerson(draft, personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  const wrong =
    whyUnknownTeam(patch.teams ?? [], draft) ??
    whyTaken(personId, patch.email ?? undefined, draft) ??
    whyNotAbsent(personId, patch.absence ?? undefined, draft);
  if (wrong !== null) return refuse(wrong);
  // A session that began in this millisecond ends too.
  stateChanged(person, { ...patch, ...vouchedFor(person, patch) }, now + 1, draft, by, now);
  return accept(personId);
}

/** What an admin decides about role and status is no longer the identity provider's. */
function vouchedFor(person: Person, { role = person.role, status }: PersonPatch): PersonPatch {
  const isRestored = status === "active" && person.status === "suspended";
  return {
    ...(status === undefined ? {} : { suspendedBy: null }),
    ...(isRestored || role !== person.role ? { roleFrom: AN_ADMIN } : {}),
  };
}

/** A person who is suspended or gets another role signs in again: sessions that began before `sessionsFrom` end. */
export function stateChanged(
  person: Person,
  patch: PersonPatch,
  sessionsFrom: number,
  draft: Draft,
  by: Principal,
  now: number,
): void {
  const { id } = person;
  const next = patched(person, patch);
  if (JSON.stringify(next) === JSON.stringify(person)) return;
  const endsSessions =
    next.role !== person.role || (next.status === "suspended" && person.status === "active");
  const changed = endsSessions ? { ...next, sessionsFrom } : next;
  state(draft, id, { type: typeOf(person, next), person: changed }, by, now);
  stateMemberships(id, person.teams, next.teams, draft, by, now);
  if (!canCount(next)) stateLostVotes(next, draft, by, now);
}

/** A delegate gains votes, so naming one needs a fresh sign-in, also for one's own absence. */
function whyNotChange({ personId, patch, by }: ChangePerson, now: number): Failure | null {
  const isOwn = personIdOf(by) === personId && Object.keys(patch).every((name) => OWN.has(name));
  if (isOwn && patch.absence?.delegate === undefined) return null;
  return (isOwn ? null : whyNotManage(by)) ?? whyStale(by, now);
}

function typeOf(before: Person, { status, isVerified }: Person): PersonFactType {
  if (status !== before.status) return status === "suspended" ? "person.suspended" : "person.restored";
  return isVerified && !before.isVerified ? "person.confirmed" : "person.changed";
}

function patched(person: Person, patch: PersonPatch): Person {
  const members: [string, unknown][] = Object.entries({ ...person, ...patch });
  // Only optional members can be null in a patch, so what is left is a whole person.
  return Object.fromEntries(members.filter(([, value]) => value !== null)) as object as Person;
}

export function whyTaken(personId: string, email: string | undefined, world: World): Failure | null {
  if (email === undefined) return null;
  const owner = world.get("account", emailAccountId(email))?.personId;
  if (owner === undefined || owner === personId) return null;
  return failure("already_exists", "another person has this e-mail address; a person needs one of their own");
}

function whyNotAbsent(personId: string, absence: Absence | undefined, world: World): Failure | null {
  const delegate = absence?.delegate;
  if (delegate === undefined) return null;
  const message =
    delegate === personId
      ? "nobody can be their own delegate"
      : currentPerson(world, delegate) === undefined
        ? "there is no person with the delegate's id"
        : null;
  if (message === null) return null;
  const problems = [{ key: "/out_of_office/delegate", rule: "person", message }];
  return failure("unknown_person", "the delegate must be another person of this workspace", { problems });
}

/** The pseudonym is made from the id, so that it is the same wherever it is shown. */
export function erasePerson({ personId, by }: ErasePerson, draft: Draft, { now, digest }: Context): Reply {
  const person = draft.get("person", personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  if (person.erasedAt !== undefined) return accept(personId);
  const { id, role, isVerified, source, madeAt, teams } = person;
  const pseudonym = `erased-${digest(id, "person").slice(-8)}`;
  const erased: Person = {
    ...{ id, name: pseudonym, role, isVerified, source, madeAt },
    ...{ teams: [], accounts: [], status: "suspended", erasedAt: now },
  };
  state(draft, id, { type: "person.erased", person: erased }, by, now);
  stateMemberships(id, teams, [], draft, by, now);
  stateLostVotes(erased, draft, by, now);
  return accept(id);
}

export function state(draft: Draft, id: string, fact: PeopleFact, by: Principal, at: number): void {
  draft.state({ kind: "person", id, fact, at, actor: actorText(by) });
}
