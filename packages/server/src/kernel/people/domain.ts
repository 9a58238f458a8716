/** The table of kinds, commands and facts for people and teams. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, kind } from "../domain.ts";
import type { Need, World } from "../world.ts";
import { dropCode, linkAccount, makeCode, unlinkAccount, useCode } from "./accounts.ts";
import type { ChangePerson, LinkAccount, PeopleCommand } from "./commands.ts";
import { addPerson, changePerson, erasePerson } from "./decide.ts";
import { PEOPLE_FACTS } from "./facts.ts";
import { lostVoteNeeds } from "./lost-votes.ts";
import {
  type AccountCode,
  type AccountOwner,
  accountId,
  emailAccountId,
  type FormerAccount,
  type Person,
  type RuledHoldMark,
  type Team,
  type Voter,
} from "./person.ts";
import { endSessions, signInByAccount, signInNeeds } from "./sign-in.ts";
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
  former_account: kind<FormerAccount>(),
  account_code: kind<AccountCode>({
    timer: {
      dueAt: ({ expiresAt }) => expiresAt,
      command: (hash) => ({ kind: "drop_account_code", hash }),
    },
  }),
  voter: kind<Voter>(),
  ruled_hold: kind<RuledHoldMark>(),
};

const personNeed = (id: string): Need => ({ kind: "person", id });
const teamNeed = (id: string): Need => ({ kind: "team", id });

const codeNeed = (hash: string): Need => ({ kind: "account_code", id: hash });

function accountNeeds(id: string): readonly Need[] {
  return [
    { kind: "account", id },
    { kind: "former_account", id },
  ];
}

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
  return [personNeed(personId), ...accountNeeds(accountId(account))];
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
  make_account_code: {
    about: "account_code",
    needs: ({ personId, hash }) => [{ ...personNeed(personId), read: true }, codeNeed(hash)],
    decide: makeCode,
  },
  use_account_code: managed(
    "person",
    ({ hash, account }, world) => {
      const code = world.get("account_code", hash);
      return [
        codeNeed(hash),
        ...accountNeeds(accountId(account)),
        ...(code === undefined ? [] : [personNeed(code.personId)]),
      ];
    },
    useCode,
  ),
  drop_account_code: managed("account_code", ({ hash }) => [codeNeed(hash)], dropCode),
  erase_person: managed(
    "person",
    ({ personId }, world) => {
      const { teams = [], email, accounts = [], passkeys = [] } = world.get("person", personId) ?? {};
      return [
        personNeed(personId),
        ...teams.map(teamNeed),
        ...addressNeeds(email),
        ...lostVoteNeeds(personId, world),
        ...accounts.flatMap((account) => accountNeeds(accountId(account))),
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
