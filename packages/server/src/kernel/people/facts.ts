/** Facts about people and teams. The log has ids, roles and states; names, addresses and accounts are in the rows only (G9). */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactSpec, FactTable } from "../domain.ts";
import { laneOfChannel } from "../lane.ts";
import { messageAbout } from "../message.ts";
import type { Notify } from "../platform.ts";
import type { OutboxRow, SealedEvent } from "../record.ts";
import type { Change, World } from "../world.ts";
import {
  type Account,
  type AccountCode,
  accountId,
  emailAccountId,
  type Person,
  type Team,
} from "./person.ts";

export type PersonFactType =
  | "person.added"
  | "person.changed"
  | "person.confirmed"
  | "person.suspended"
  | "person.restored";

export type PeopleFact =
  | { readonly type: PersonFactType; readonly person: Person }
  | {
      readonly type: "person.sessions_ended";
      readonly person: Person;
      /** The identity provider's groups give no admin role any more; the person keeps it because nobody else has it. */
      readonly kept?: "last_admin";
    }
  | {
      readonly type: "person.account_linked";
      readonly person: Person;
      readonly account: Account;
      /** Somebody else linked it, so the person is told. */
      readonly isForPerson?: true;
    }
  | { readonly type: "person.account_unlinked"; readonly person: Person; readonly account: Account }
  | { readonly type: "account_code.made"; readonly code: AccountCode }
  | { readonly type: "account_code.over" }
  | { readonly type: "person.erased"; readonly person: Person }
  | { readonly type: "team.added" | "team.changed" | "team.removed"; readonly team: Team };

interface HasPerson {
  readonly person: Person;
}

function personData({ person }: HasPerson): JsonObject {
  const { id, role, status, isVerified, teams, absence, source, suspendedBy } = person;
  return {
    person_id: id,
    role,
    status,
    verified: isVerified,
    teams: [...teams],
    source,
    ...(absence === undefined ? {} : { out_of_office: { ...absence } }),
    ...(suspendedBy === undefined ? {} : { suspended_by: suspendedBy }),
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

/** So that nobody unlinks an account to link it to somebody else. */
function formerRow(world: World, account: string, personId: string): Change {
  const { people = [] } = world.get("former_account", account) ?? {};
  const body = { people: [...people.filter((id) => id !== personId), personId] };
  return { kind: "former_account", id: account, body };
}

/**
 * By every way that reaches the person: the one that was just linked may be somebody else's. The message names the account and who
 * linked it, because more accounts may be linked, or this one unlinked, before it is sent.
 */
function tellPerson(
  { person: told, account }: HasPerson & { readonly account: Account },
  event: SealedEvent,
  { kinds = {} }: Notify,
): readonly OutboxRow[] {
  const channels = Object.entries(kinds).filter(([, kind]) =>
    kind === "email" ? told.email !== undefined : told.accounts.some(({ platform }) => platform === kind),
  );
  const { platform, tenant, userId, linkedBy } = account;
  const linked = {
    ...{ platform, user_id: userId },
    ...(tenant === undefined ? {} : { tenant }),
    ...(linkedBy === undefined ? {} : { linked_by: linkedBy }),
  };
  return channels.map(([channel]) => {
    const detail = { person: told.id, about: "account_linked", account: linked };
    return { ...messageAbout(event, told.id, "tell", channel, laneOfChannel(channel), detail), holdId: null };
  });
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
  "person.sessions_ended": {
    evolve: person.evolve,
    log: ({ person: { id }, kept }) => ({ person_id: id, ...(kept === undefined ? {} : { kept }) }),
  },
  "person.account_linked": {
    evolve: (world, id, fact) => [...person.evolve(world, id, fact), accountRow(accountId(fact.account), id)],
    log: ({ person: { id }, account, isForPerson }) => ({
      person_id: id,
      platform: account.platform,
      ...(isForPerson === true ? { linked_by: account.linkedBy ?? "" } : {}),
    }),
    messages: ({ fact }, event, _world, { notify }) =>
      fact.isForPerson === true ? tellPerson(fact, event, notify) : [],
  },
  "person.account_unlinked": {
    evolve(world, id, fact) {
      const account = accountId(fact.account);
      return [...person.evolve(world, id, fact), accountRow(account, null), formerRow(world, account, id)];
    },
    log: ({ person: { id }, account }) => ({ person_id: id, platform: account.platform }),
  },
  /** Not written to the log: a code is a way to link an account, and the link itself is. */
  "account_code.made": {
    evolve: (_world, id, { code }) => [{ kind: "account_code", id, body: code }],
    log: () => null,
  },
  "account_code.over": {
    evolve: (_world, id) => [{ kind: "account_code", id, body: null }],
    log: () => null,
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
