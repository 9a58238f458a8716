/** Facts about people and teams. The log has ids, roles and states; names, addresses and accounts are in the rows only (G9). */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactSpec, FactTable } from "../domain.ts";
import type { Change, World } from "../world.ts";
import { type Account, accountId, emailAccountId, type Person, type Team } from "./person.ts";

export type PersonFactType =
  | "person.added"
  | "person.changed"
  | "person.confirmed"
  | "person.suspended"
  | "person.sessions_ended"
  | "person.restored";

export type PeopleFact =
  | { readonly type: PersonFactType; readonly person: Person }
  | {
      readonly type: "person.account_linked" | "person.account_unlinked";
      readonly person: Person;
      readonly account: Account;
    }
  | { readonly type: "person.erased"; readonly person: Person }
  | { readonly type: "team.added" | "team.changed" | "team.removed"; readonly team: Team };

interface HasPerson {
  readonly person: Person;
}

function personData({ person }: HasPerson): JsonObject {
  const { id, role, status, isVerified, teams, absence, source } = person;
  return {
    person_id: id,
    role,
    status,
    verified: isVerified,
    teams: [...teams],
    source,
    ...(absence === undefined ? {} : { out_of_office: { ...absence } }),
  };
}

const person = {
  evolve(world: World, id: string, { person: body }: HasPerson): readonly Change[] {
    const before = world.get("person", id)?.email;
    const row = { kind: "person", id, body } as const;
    return before === body.email ? [row] : [row, ...addressRows(before, body)];
  },
  log: personData,
};

/** The address finds the person: a link that was sent to it counts as theirs. */
function addressRows(before: string | undefined, { id, email }: Person): readonly Change[] {
  const gone = before === undefined ? [] : [accountRow(emailAccountId(before), null)];
  return email === undefined ? gone : [...gone, accountRow(emailAccountId(email), id)];
}

function accountRow(id: string, personId: string | null): Change {
  return { kind: "account", id, body: personId === null ? null : { personId } };
}

function accountData(fact: HasPerson & { readonly account: Account }): JsonObject {
  return { person_id: fact.person.id, platform: fact.account.platform };
}

const team: FactSpec<{ readonly team: Team }> = {
  evolve: (_world, id, { team: body }) => [{ kind: "team", id, body }],
  log: ({ team: { id, members, source } }) => ({ team_id: id, members: [...members], source }),
};

export const PEOPLE_FACTS: FactTable<PeopleFact> = {
  "person.added": person,
  "person.changed": person,
  "person.confirmed": person,
  "person.suspended": person,
  "person.restored": person,
  "person.sessions_ended": { evolve: person.evolve, log: (fact) => ({ person_id: fact.person.id }) },
  "person.account_linked": {
    evolve: (world, id, fact) => [...person.evolve(world, id, fact), accountRow(accountId(fact.account), id)],
    log: accountData,
  },
  "person.account_unlinked": {
    evolve: (world, id, fact) => [
      ...person.evolve(world, id, fact),
      accountRow(accountId(fact.account), null),
    ],
    log: accountData,
  },
  "person.erased": {
    evolve(world, id, fact) {
      const before = world.get("person", id) as Person;
      const accounts = before.accounts.map((account) => accountRow(accountId(account), null));
      const passkeys = (before.passkeys ?? []).map(
        (passkey) => ({ kind: "passkey", id: passkey, body: null }) as const,
      );
      return [...person.evolve(world, id, fact), ...accounts, ...passkeys];
    },
    log: (fact) => ({ person_id: fact.person.id }),
  },
  "team.added": team,
  "team.changed": team,
  "team.removed": team,
};
