/** The table of kinds, commands and facts for people and teams. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, kind } from "../domain.ts";
import type { Need, World } from "../world.ts";
import { endSessions, linkAccount, signInByAccount, signInNeeds, unlinkAccount } from "./accounts.ts";
import type { ChangePerson, LinkAccount, PeopleCommand } from "./commands.ts";
import { addPerson, changePerson, erasePerson } from "./decide.ts";
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
  person: kind<Person>(),
  team: kind<Team>(),
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

function linkNeeds({ personId, account }: Pick<LinkAccount, "personId" | "account">): readonly Need[] {
  return [personNeed(personId), { kind: "account", id: accountId(account) }];
}

const commands = {
  add_person: managed(
    "person",
    ({ person }) => [personNeed(person.id), ...person.teams.map(teamNeed), ...addressNeeds(person.email)],
    addPerson,
  ),
  /** It checks the role itself: people may change some of their own settings. */
  change_person: { about: "person", needs: changeNeeds, decide: changePerson },
  /** These check the role themselves: people link and unlink accounts of their own, and sign themselves out. */
  link_account: { about: "person", needs: linkNeeds, decide: linkAccount },
  unlink_account: { about: "person", needs: linkNeeds, decide: unlinkAccount },
  end_sessions: {
    about: "person",
    forReaders: true,
    needs: ({ personId }) => [personNeed(personId)],
    decide: endSessions,
  },
  /** It checks no role: the identity provider has said who signs in. */
  sign_in_by_account: { about: "session", needs: signInNeeds, decide: signInByAccount },
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
