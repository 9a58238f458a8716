/** People and teams. Operators and auditors see them; admins change them; people set their own absence. */

import type { PersonPatchIn } from "@holdpoint/protocol";
import type { Entity } from "../../../kernel/entity.ts";
import { accountCode } from "../../../kernel/people/account-code.ts";
import type { PersonPatch } from "../../../kernel/people/commands.ts";
import type { Account, Person, PersonSource, QuietHours, Team } from "../../../kernel/people/person.ts";
import { type Principal, seesDeliveries } from "../../../kernel/principal.ts";
import { tokenHash } from "../../../system/digest.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

/** More people or teams than this need a directory, not a list. */
const LISTED_MAX = 1_000;

export const people = {
  async listPeople({ workspace, by }, deps) {
    onlyPeople(by);
    const found = await deps.engine.store.query({ workspace, kind: "person", limit: LISTED_MAX });
    return { status: 200, body: { people: found.map((person) => presentPerson(person)) } };
  },

  async addPerson({ workspace, by, body }, deps) {
    const { id = `person_${deps.ids.next(deps.engine.clock.now())}`, role = "operator", teams = [] } = body;
    const { time_zone: timeZone, preferred_channel: preferredChannel, quiet_hours: quiet, ...rest } = body;
    const person = {
      ...rest,
      ...{ id, role, teams, isVerified: true, source: sourceOf(by) },
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(preferredChannel === undefined ? {} : { preferredChannel }),
      ...(quiet === undefined ? {} : { quietHours: quietOf(quiet) }),
    };
    const added = accepted(await deps.engine.run({ kind: "add_person", workspace, by, person }), by);
    return { status: 201, body: presentPerson(added) };
  },

  async changePerson({ workspace, by, params, body }, deps) {
    const command = {
      kind: "change_person",
      workspace,
      by,
      personId: params.id,
      patch: patchOf(body),
    } as const;
    return { status: 200, body: presentPerson(accepted(await deps.engine.run(command), by)) };
  },

  async linkAccount({ workspace, by, params, body }, deps) {
    const { user_id: userId, ...rest } = body;
    const account = { ...rest, userId };
    const command = { kind: "link_account", workspace, by, personId: params.id, account } as const;
    return { status: 201, body: presentPerson(accepted(await deps.engine.run(command), by)) };
  },

  async unlinkAccount({ workspace, by, params, body }, deps) {
    const { user_id: userId, ...rest } = body;
    const account = { ...rest, userId };
    const command = { kind: "unlink_account", workspace, by, personId: params.id, account } as const;
    return { status: 200, body: presentPerson(accepted(await deps.engine.run(command), by)) };
  },

  async makeAccountCode({ workspace, by, params }, deps) {
    const code = accountCode(deps.ids.token());
    const hash = tokenHash(code);
    const command = { kind: "make_account_code", workspace, by, personId: params.id, hash } as const;
    const { body } = accepted(await deps.engine.run(command), by);
    return {
      status: 201,
      body: { code, expires_at: time(body.expiresAt), links: await linksFor(code, deps) },
    };
  },

  async erasePerson({ workspace, by, params }, deps) {
    const command = { kind: "erase_person", workspace, by, personId: params.id } as const;
    return { status: 200, body: presentPerson(accepted(await deps.engine.run(command), by)) };
  },

  async listTeams({ workspace, by }, deps) {
    onlyPeople(by);
    const found = await deps.engine.store.query({ workspace, kind: "team", limit: LISTED_MAX });
    const current = found.filter(({ body }) => body.removedAt === undefined);
    return { status: 200, body: { teams: current.map((team) => presentTeam(team)) } };
  },

  async addTeam({ workspace, by, body }, deps) {
    const { id, name = id, members = [] } = body;
    const team = { id, name, members, source: sourceOf(by) };
    const added = accepted(await deps.engine.run({ kind: "add_team", workspace, by, team }), by);
    return { status: 201, body: presentTeam(added) };
  },

  async changeTeam({ workspace, by, params, body }, deps) {
    const command = { kind: "change_team", workspace, by, teamId: params.id, patch: body } as const;
    return { status: 200, body: presentTeam(accepted(await deps.engine.run(command), by)) };
  },

  async removeTeam({ workspace, by, params }, deps) {
    onlyPeople(by);
    const [before] = await deps.engine.store.load([{ workspace, kind: "team", id: params.id, read: true }]);
    if (before === undefined || before.body.removedAt !== undefined) throw fail("not_found");
    accepted(await deps.engine.run({ kind: "remove_team", workspace, by, teamId: params.id }), by);
    return { status: 200, body: presentTeam(before) };
  },
} satisfies Routes;

/** Where a person sends the code: a chat with each bot that has an address. */
async function linksFor(code: string, { chats }: RestDeps) {
  const bots = chats.states().map(async ({ name, platform }) => {
    const url = (await chats.identity(name))?.address;
    return url === undefined ? [] : [{ channel: name, platform, url: url.replace("{code}", code) }];
  });
  return (await Promise.all(bots)).flat();
}

function onlyPeople(by: Principal): void {
  if (!seesDeliveries(by)) throw fail("not_allowed");
}

function sourceOf({ via }: Principal): PersonSource {
  return via === "session" ? "console" : "api";
}

function patchOf(body: PersonPatchIn): PersonPatch {
  const { verified, out_of_office: away, time_zone: timeZone, preferred_channel: preferred, ...more } = body;
  const { quiet_hours: quiet, ...rest } = more;
  return {
    ...rest,
    ...(verified === undefined ? {} : { isVerified: verified }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(preferred === undefined ? {} : { preferredChannel: preferred }),
    ...(quiet === undefined ? {} : { quietHours: quiet && quietOf(quiet) }),
    ...(away === undefined
      ? {}
      : { absence: away && { ...away, from: Date.parse(away.from), until: Date.parse(away.until) } }),
  };
}

/** Minutes after midnight. */
function quietOf({ from, until, urgent }: NonNullable<PersonPatchIn["quiet_hours"]>): QuietHours {
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return { from: minutes(from), until: minutes(until), ...(urgent === true ? { isUrgentTold: true } : {}) };
}

function presentQuiet({ from, until, isUrgentTold }: QuietHours) {
  const two = (n: number) => String(n).padStart(2, "0");
  const text = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return { from: text(from), until: text(until), ...(isUrgentTold === true ? { urgent: true } : {}) };
}

export function presentPerson({ body }: Entity<Person>) {
  const { id, name, email, role, teams, accounts, status, isVerified: verified } = body;
  const { absence, timeZone: time_zone, language, source, madeAt, erasedAt } = body;
  const { preferredChannel: preferred_channel, quietHours } = body;
  return {
    ...{ id, name, role, teams, accounts: accounts.map(presentAccount), status, verified, source },
    created_at: time(madeAt),
    ...(email === undefined ? {} : { email }),
    ...(absence === undefined
      ? {}
      : { out_of_office: { ...absence, from: time(absence.from), until: time(absence.until) } }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(language === undefined ? {} : { language }),
    ...(preferred_channel === undefined ? {} : { preferred_channel }),
    ...(quietHours === undefined ? {} : { quiet_hours: presentQuiet(quietHours) }),
    ...(erasedAt === undefined ? {} : { erased_at: time(erasedAt) }),
  };
}

function presentAccount({ userId: user_id, linkedBy, at, ...rest }: Account) {
  return { ...rest, user_id, ...(linkedBy === undefined ? {} : { linked_by: linkedBy }), at: time(at) };
}

function presentTeam({ body }: Entity<Team>) {
  const { madeAt, ...team } = body;
  return { ...team, created_at: time(madeAt) };
}
