/**
 * Adds the people and teams that the configuration names, and a person for every operator's and admin's key. Only what
 * differs is written, so a restart adds nothing to the log.
 *
 * S1  People and teams of the configuration are marked `config`. The configuration wins for what it names; what it does not
 *     name stays as an admin set it.
 * S2  A configured key `operator:alice` stands for the confirmed person `alice`.
 * S3  A key in the database, from a version before people were rows, becomes a person that an admin has to confirm.
 */

import type { Engine } from "./engine/engine.ts";
import type { ApiKey } from "./kernel/access/access.ts";
import type { AddPerson, PersonPatch } from "./kernel/people/commands.ts";
import { type Person, standsForPerson } from "./kernel/people/person.ts";
import { SYSTEM } from "./kernel/principal.ts";
import type { Config } from "./system/config.ts";

interface Seeds extends Pick<Config, "apiKeys" | "people"> {
  readonly teams: Readonly<
    Record<string, { readonly name?: string | undefined; readonly members: readonly string[] }>
  >;
}
type Wanted = AddPerson["person"];

export async function seedPeople(engine: Engine, config: Partial<Seeds>): Promise<void> {
  const { apiKeys = [], people = {}, teams = {} } = config;
  for (const workspace of new Set(["default", ...apiKeys.map((key) => key.workspace)])) {
    const named = Object.entries(people).map(([id, person]) => wantedOf(id, person));
    const keys = apiKeys.filter((key) => key.workspace === workspace && standsForPerson(key));
    const listed = new Set(Object.keys(people));
    for (const person of named) await put(engine, workspace, person);
    for (const { name, role } of keys)
      if (!listed.has(name)) await put(engine, workspace, personOf(name, role, true));
    for (const [id, { name = id, members }] of Object.entries(teams))
      await putTeam(engine, workspace, { id, name, members });
    await addPeopleOfKeys(engine, workspace);
  }
}

function wantedOf(id: string, { time_zone: timeZone, ...config }: Config["people"][string]): Wanted {
  const { name = id, role = "operator", email, language } = config;
  return {
    ...{ id, name, role, teams: [], isVerified: true, source: "config" },
    ...(email === undefined ? {} : { email }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(language === undefined ? {} : { language }),
  };
}

function personOf(name: string, role: string, isVerified: boolean): Wanted {
  return {
    id: name,
    name,
    role: role === "admin" ? "admin" : "operator",
    teams: [],
    isVerified,
    source: "key",
  };
}

async function put(engine: Engine, workspace: string, person: Wanted): Promise<void> {
  const [found] = await engine.store.load([{ workspace, kind: "person", id: person.id, read: true }]);
  if (found === undefined) {
    await run(engine, { kind: "add_person", workspace, by: SYSTEM, person });
    return;
  }
  const before = found.body as Person;
  if (before.erasedAt !== undefined) return;
  const { id: personId, teams: _teams, ...wanted } = person;
  // A key confirms its person and changes nothing else about them.
  const patch: PersonPatch = person.source === "key" ? { isVerified: true } : wanted;
  const isSame = Object.entries(patch).every(([name, value]) => before[name as keyof Person] === value);
  if (!isSame) await run(engine, { kind: "change_person", workspace, by: SYSTEM, personId, patch });
}

async function putTeam(
  engine: Engine,
  workspace: string,
  team: { readonly id: string; readonly name: string; readonly members: readonly string[] },
): Promise<void> {
  const [found] = await engine.store.load([{ workspace, kind: "team", id: team.id, read: true }]);
  if (found === undefined || found.body.removedAt !== undefined) {
    await run(engine, { kind: "add_team", workspace, by: SYSTEM, team: { ...team, source: "config" } });
    return;
  }
  const { id: teamId, ...patch } = team;
  await run(engine, { kind: "change_team", workspace, by: SYSTEM, teamId, patch });
}

const PAGE = 200;

async function addPeopleOfKeys(engine: Engine, workspace: string): Promise<void> {
  for (let after: string | undefined; ; ) {
    const query = {
      workspace,
      kind: "api_key",
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    } as const;
    const keys = await engine.store.query(query);
    for (const { body } of keys) await addPersonOfKey(engine, workspace, body as ApiKey);
    if (keys.length < PAGE) return;
    after = keys.at(-1)?.id;
  }
}

async function addPersonOfKey(engine: Engine, workspace: string, key: ApiKey): Promise<void> {
  if (!standsForPerson(key) || key.revokedAt !== undefined) return;
  const [found] = await engine.store.load([{ workspace, kind: "person", id: key.name, read: true }]);
  if (found !== undefined) return;
  const person = personOf(key.name, key.role, false);
  await run(engine, { kind: "add_person", workspace, by: SYSTEM, person });
}

/** Another server that starts at the same moment may add the same person first. */
async function run(engine: Engine, command: Parameters<Engine["run"]>[0]): Promise<void> {
  const result = await engine.run(command);
  if (!result.ok && command.kind === "add_person" && (await isThere(engine, command))) return;
  if (!result.ok) throw new Error(`cannot apply the configured people and teams: ${result.failure.message}`);
}

async function isThere({ store }: Engine, { workspace, person }: AddPerson): Promise<boolean> {
  return (await store.load([{ workspace, kind: "person", id: person.id, read: true }])).length > 0;
}
