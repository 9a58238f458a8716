/** `holdpoint people` */

import type {
  ConsoleSessionListOut,
  ConsoleSessionOut,
  InvitationOut,
  PersonListOut,
  PersonOut,
  TeamListOut,
  TeamOut,
} from "@holdpoint/protocol";
import { readArgs } from "./args.ts";
import { clean, jsonText } from "./clean.ts";
import { callServer } from "./client.ts";
import { CliError, type Command, type Io } from "./io.ts";
import { recover } from "./recover.ts";

const USAGE = `people list
       holdpoint people add <id> --name <name> [--email <address>] [--role operator|admin|auditor] [--team <team>]…
       holdpoint people invite <id> [--by-email]   a one-time link that signs this person in
       holdpoint people sessions [<id>]      who is signed in, and since when
       holdpoint people sign-out <id>        ends every session of a person
       holdpoint people end-session <session>
       holdpoint people erase <id> --yes     replaces the name by a pseudonym, for good
       holdpoint people confirm <id>         somebody whom a key made known may count towards decisions
       holdpoint people suspend|restore <id>
       holdpoint people team [<team> <person>…]   the teams, or the members of one
       holdpoint people recover [<id>]       on the server's machine: signs in an admin who lost every way in
       (all but recover take --json)`;

const OPTIONS = {
  json: { type: "boolean" },
  name: { type: "string" },
  email: { type: "string" },
  role: { type: "string" },
  team: { type: "string", multiple: true },
  "by-email": { type: "boolean" },
  yes: { type: "boolean" },
} as const;

type Values = ReturnType<typeof readArgs<typeof OPTIONS>>["values"];

export const people: Command = {
  usage: "people list|add|invite|team|suspend|sessions",
  summary: "People and teams, and who of them may sign in; recover: sign in an admin again",
  async run(args, io) {
    const { values, positionals } = readArgs(args, OPTIONS, USAGE, 300);
    const [what = "list", id, ...more] = positionals;
    const show = shower(io, values.json === true);
    if (what === "list") return show(await list(io), ({ people: all }) => all.map(personLine));
    if (what === "team") return team(io, id, more, show);
    if (what === "recover") return recover(io, id);
    if (what === "sessions" && more.length === 0)
      return show(await sessionsOf(io, id), ({ sessions }) => sessions.map(sessionLine));
    if (id === undefined || more.length > 0) throw new CliError(`usage: holdpoint ${USAGE}`);
    const path = `/v1/people/${encodeURIComponent(id)}`;
    const patch = (body: object) => callServer<PersonOut>(io, "PATCH", path, body);
    switch (what) {
      case "add":
        return show(await add(io, id, values), (person) => [personLine(person)]);
      case "confirm":
        return show(await patch({ verified: true }), (person) => [personLine(person)]);
      case "suspend":
        return show(await patch({ status: "suspended" }), (person) => [personLine(person)]);
      case "restore":
        return show(await patch({ status: "active" }), (person) => [personLine(person)]);
      case "invite":
        return show(await invite(io, id, values), ({ url, sent_to: to }) => [
          url ?? `sent to ${clean(to ?? "")}`,
        ]);
      case "sign-out":
        return show(await callServer<PersonOut>(io, "DELETE", `${path}/sessions`), ({ id: who }) => [
          `every session of ${clean(who)} has ended`,
        ]);
      case "end-session":
        return show(
          await callServer<ConsoleSessionOut>(io, "DELETE", `/v1/sessions/${encodeURIComponent(id)}`),
          (session) => [`${sessionLine(session)}  (ended)`],
        );
      case "erase":
        if (values.yes !== true)
          throw new CliError(`this cannot be undone; repeat it with --yes to erase ${id}`);
        return show(await callServer<PersonOut>(io, "POST", `${path}/erase`), (person) => [
          personLine(person),
        ]);
      default:
        throw new CliError(`usage: holdpoint ${USAGE}`);
    }
  },
};

function shower(io: Io, json: boolean) {
  return <T>(found: T, lines: (found: T) => readonly string[]): number => {
    io.out(
      json
        ? `${jsonText(found)}\n`
        : lines(found)
            .map((line) => `${line}\n`)
            .join(""),
    );
    return 0;
  };
}

function list(io: Io): Promise<PersonListOut> {
  return callServer<PersonListOut>(io, "GET", "/v1/people");
}

function add(io: Io, id: string, { name = id, email, role, team: teams }: Values): Promise<PersonOut> {
  return callServer<PersonOut>(io, "POST", "/v1/people", { id, name, email, role, teams });
}

async function invite(io: Io, id: string, values: Values): Promise<InvitationOut> {
  const person = (await list(io)).people.find((one) => one.id === id);
  if (person === undefined)
    throw new CliError(`there is no person ${id}; add them with: holdpoint people add`);
  const by = values["by-email"] === true ? "email" : "link";
  return callServer<InvitationOut>(io, "POST", `/v1/people/${encodeURIComponent(id)}/invite`, { by });
}

function sessionsOf(io: Io, person: string | undefined): Promise<ConsoleSessionListOut> {
  const query = person === undefined ? "" : `?person=${encodeURIComponent(person)}`;
  return callServer<ConsoleSessionListOut>(io, "GET", `/v1/sessions${query}`);
}

function sessionLine({ id, person, how, started_at: since, device = "" }: ConsoleSessionOut): string {
  const words = [clean(id).padEnd(36), clean(person).padEnd(20), how.padEnd(8), since, clean(device)];
  return words.join("  ").trimEnd();
}

/** Without members: the teams. With members: the team is made if it is new, and has exactly these members. */
async function team(
  io: Io,
  id: string | undefined,
  members: readonly string[],
  show: ReturnType<typeof shower>,
): Promise<number> {
  const { teams } = await callServer<TeamListOut>(io, "GET", "/v1/teams");
  if (id === undefined) return show({ teams }, (all) => all.teams.map(teamLine));
  const known = teams.find((one) => one.id === id);
  if (members.length === 0) {
    if (known === undefined) throw new CliError(`there is no team ${id}; name its members to make it`);
    return show(known, (one) => [teamLine(one)]);
  }
  const path = known === undefined ? "/v1/teams" : `/v1/teams/${encodeURIComponent(id)}`;
  const method = known === undefined ? "POST" : "PATCH";
  const body = known === undefined ? { id, members } : { members };
  return show(await callServer<TeamOut>(io, method, path, body), (one) => [teamLine(one)]);
}

function personLine({ id, name, role, teams, status, verified, out_of_office: away }: PersonOut): string {
  const notes = [
    status === "suspended" ? "suspended" : "",
    verified ? "" : "not confirmed",
    away === undefined
      ? ""
      : `away until ${away.until}${away.delegate === undefined ? "" : `, ${clean(away.delegate)} stands in`}`,
  ].filter((note) => note !== "");
  const words = [clean(id).padEnd(20), clean(name).padEnd(24), role.padEnd(9), teams.map(clean).join(",")];
  return [...words, notes.length === 0 ? "" : `(${notes.join("; ")})`].join("  ").trimEnd();
}

function teamLine({ id, name, members }: TeamOut): string {
  return [clean(id).padEnd(20), clean(name).padEnd(24), members.map(clean).join(", ")].join("  ").trimEnd();
}
