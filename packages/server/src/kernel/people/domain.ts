/** The table of kinds, commands and facts for people and teams. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, kind } from "../domain.ts";
import type { Need, World } from "../world.ts";
import type { ChangePerson, PeopleCommand } from "./commands.ts";
import { addPerson, changePerson, erasePerson, linkAccount } from "./decide.ts";
import { PEOPLE_FACTS } from "./facts.ts";
import { lostVoteNeeds } from "./lost-votes.ts";
import {
  type AccountOwner,
  accountId,
  emailAccountId,
  type Person,
  type RuledHoldMark,
  type Team,
  type Voter,
} from "./person.ts";
import { addTeam, changeTeam, removeTeam } from "./teams.ts";

export const PEOPLE_KINDS = {
  person: kind<Person>({
    vouched: ({ role, status, isVerified, teams, absence }) => ({
      ...{ role, status, isVerified, teams: [...teams] },
      absence: absence === undefined ? null : { ...absence },
    }),
  }),
  team: kind<Team>({
    vouched: ({ members, removedAt = null }) => ({ members: [...members], removedAt }),
  }),
  account: kind<AccountOwner>(),
  voter: kind<Voter>(),
  ruled_hold: kind<RuledHoldMark>(),
};

const personNeed = (id: string): Need => ({ kind: "person", id });
const teamNeed = (id: string): Need => ({ kind: "team", id });

function addressNeeds(...addresses: readonly (string | null | undefined)[]): readonly Need[] {
  return addresses.flatMap((address) =>
    typeof address === "string" ? [{ kind: "account", id: emailAccountId(address) }] : [],
  );
}

/** Changes after which a person may no longer count. */
const LOSES_VOTES = ["status", "isVerified", "role"] as const;

function changeNeeds({ personId, patch }: ChangePerson, world: World): readonly Need[] {
  const before = world.get("person", personId);
  const delegate = patch.absence?.delegate;
  return [
    personNeed(personId),
    ...(patch.teams === undefined ? [] : [...(before?.teams ?? []), ...patch.teams].map(teamNeed)),
    ...("email" in patch ? addressNeeds(before?.email, patch.email) : []),
    ...(delegate === undefined ? [] : [{ ...personNeed(delegate), read: true as const }]),
    ...(LOSES_VOTES.some((name) => name in patch) ? lostVoteNeeds(personId, world) : []),
  ];
}

function membersNeeds(teamId: string, members: readonly string[], world: World): readonly Need[] {
  const before = world.get("team", teamId)?.members ?? [];
  return [teamNeed(teamId), ...[...before, ...members].map(personNeed)];
}

const commands = {
  add_person: managed(
    "person",
    ({ person }) => [personNeed(person.id), ...person.teams.map(teamNeed), ...addressNeeds(person.email)],
    addPerson,
  ),
  /** It checks the role itself: people may change some of their own settings. */
  change_person: { about: "person", needs: changeNeeds, decide: changePerson },
  link_account: managed(
    "person",
    ({ personId, account }) => [personNeed(personId), { kind: "account", id: accountId(account) }],
    linkAccount,
  ),
  erase_person: managed(
    "person",
    ({ personId }, world) => {
      const { teams = [], email, accounts = [], passkeys = [] } = world.get("person", personId) ?? {};
      return [
        personNeed(personId),
        ...teams.map(teamNeed),
        ...addressNeeds(email),
        ...lostVoteNeeds(personId, world),
        ...accounts.map((account) => ({ kind: "account", id: accountId(account) })),
        ...passkeys.map((id) => ({ kind: "passkey", id })),
      ];
    },
    erasePerson,
  ),
  add_team: managed("team", ({ team }, world) => membersNeeds(team.id, team.members, world), addTeam),
  change_team: managed(
    "team",
    ({ teamId, patch }, world) => membersNeeds(teamId, patch.members ?? [], world),
    changeTeam,
  ),
  remove_team: managed("team", ({ teamId }, world) => membersNeeds(teamId, [], world), removeTeam),
} satisfies CommandTable<PeopleCommand>;

export const PEOPLE = { kinds: PEOPLE_KINDS, commands, facts: PEOPLE_FACTS } satisfies Domain;
