/**
 * Links and unlinks accounts of people on other platforms.
 *
 * A1  A person links their own account with a one-time code that they make while signed in and send to the bot.
 * A2  An admin may link an account for somebody else. That is recorded, and the person is told.
 * A3  No admin links an account of their own, now or earlier, to somebody else: they could answer in that person's name.
 */

import { whyStale } from "../access/fresh.ts";
import { whyNotManage } from "../access/manage.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { type Failure, failure } from "../failure.ts";
import { actorText, type Principal } from "../principal.ts";
import type { World } from "../world.ts";
import type {
  DropAccountCode,
  LinkAccount,
  MakeAccountCode,
  UnlinkAccount,
  UseAccountCode,
} from "./commands.ts";
import { NO_SUCH_PERSON, state } from "./decide.ts";
import {
  ACCOUNT_CODE_MS,
  type Account,
  accountId,
  currentPerson,
  type Person,
  personIdOf,
} from "./person.ts";

type Named = Omit<Account, "at" | "linkedBy">;

/** Admins link anybody's account; people link their own if the platform has just confirmed it. */
export function linkAccount(command: LinkAccount, draft: Draft, context: Context): Reply {
  const { personId, account, by, isProven } = command;
  const mayLink = isProven === true && personIdOf(by) === personId;
  const stale = (mayLink ? null : whyNotManage(by)) ?? whyStale(by, context.now);
  if (stale !== null) return refuse(stale);
  const person = currentPerson(draft, personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  const owner = draft.get("account", accountId(account))?.personId;
  if (owner === personId) return accept(personId);
  const denied = whyTaken(owner) ?? whyOwn(account, personId, by, draft);
  return denied === null ? link(person, account, by, draft, context) : refuse(denied);
}

function whyTaken(owner: string | undefined): Failure | null {
  return owner === undefined
    ? null
    : failure("already_exists", "this account is already linked to another person");
}

/** A3 */
function whyOwn(account: Named, personId: string, by: Principal, world: World): Failure | null {
  const self = personIdOf(by);
  const { people = [] } = world.get("former_account", accountId(account)) ?? {};
  if (self === undefined || self === personId || !people.includes(self)) return null;
  return failure("not_allowed", "this account was yours, so you may not link it to somebody else");
}

function link(person: Person, named: Named, by: Principal, draft: Draft, { now }: Context): Reply {
  // Somebody else linked it: the person hears of it (A2).
  const isOwn = personIdOf(by) === person.id || by.name === person.id;
  stateLinked(person, named, by, draft, now, !isOwn);
  return accept(person.id);
}

export function stateLinked(
  person: Person,
  named: Named,
  by: Principal,
  draft: Draft,
  now: number,
  isForPerson = false,
): void {
  const account: Account = { ...named, linkedBy: actorText(by), at: now };
  const next = { ...person, accounts: [...person.accounts, account] };
  const told = isForPerson ? { isForPerson } : {};
  state(draft, person.id, { type: "person.account_linked", person: next, account, ...told }, by, now);
}

export function unlinkAccount(
  { personId, account, by }: UnlinkAccount,
  draft: Draft,
  { now }: Context,
): Reply {
  const denied = (personIdOf(by) === personId ? null : whyNotManage(by)) ?? whyStale(by, now);
  if (denied !== null) return refuse(denied);
  const person = currentPerson(draft, personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  const id = accountId(account);
  const found = person.accounts.find((one) => accountId(one) === id);
  if (found === undefined) return refuse(failure("not_found", "this account is not linked to the person"));
  const next = { ...person, accounts: person.accounts.filter((one) => one !== found) };
  state(draft, personId, { type: "person.account_unlinked", person: next, account: found }, by, now);
  return accept(personId);
}

/** Only for oneself (A1): with somebody else's code one could answer in their name. */
export function makeCode({ personId, hash, by }: MakeAccountCode, draft: Draft, { now }: Context): Reply {
  if (personIdOf(by) !== personId)
    return refuse(failure("not_allowed", "a code links your own account only; sign in as the person"));
  // A person who sends the code to a bot answers as this person from then on, so a console left open makes none.
  const stale = whyStale(by, now);
  if (stale !== null) return refuse(stale);
  const person = currentPerson(draft, personId);
  if (person === undefined) return refuse(NO_SUCH_PERSON);
  const code = { personId, madeAt: now, expiresAt: now + ACCOUNT_CODE_MS };
  draft.state({
    ...{ kind: "account_code", id: hash, at: now, actor: actorText(by) },
    fact: { type: "account_code.made", code },
  });
  return accept(hash);
}

const BAD_CODE = failure(
  "not_found",
  "this code is unknown, used or older than 15 minutes; make a new one in the console",
);

export function useCode({ hash, account }: UseAccountCode, draft: Draft, context: Context): Reply {
  const code = draft.get("account_code", hash);
  const person = code === undefined ? undefined : currentPerson(draft, code.personId);
  if (code === undefined || person === undefined || code.expiresAt <= context.now) return refuse(BAD_CODE);
  if (person.status !== "active") return refuse(failure("not_allowed", "you are suspended"));
  const owner = draft.get("account", accountId(account))?.personId;
  const taken = owner === person.id ? null : whyTaken(owner);
  if (taken !== null) return refuse(taken);
  const by: Principal = { role: person.role, via: "channel", id: account.platform, name: person.id };
  draft.state({
    ...{ kind: "account_code", id: hash, at: context.now, actor: actorText(by) },
    fact: { type: "account_code.over" },
  });
  return owner === person.id ? accept(person.id) : link(person, account, by, draft, context);
}

export function dropCode({ hash, by }: DropAccountCode, draft: Draft, { now }: Context): Reply {
  const code = draft.get("account_code", hash);
  if (code === undefined || code.expiresAt > now) return { ok: true, id: hash, fresh: false };
  const fact = { type: "account_code.over" } as const;
  draft.state({ kind: "account_code", id: hash, fact, at: now, actor: actorText(by) });
  return accept(hash);
}
