/** Teams: named sets of people. */

import type { PersonListOut, PersonOut, TeamListOut, TeamOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Empty, Problem, Sure } from "../parts.tsx";
import { peopleChanged, usePeopleChanged } from "./changes.ts";

const WORDS = {
  teams: "Teams",
  noTeamsYet: "No teams yet",
  ruleCanAsk: "A rule can ask a team:",
  teamFinance: "team:finance",
  nameNewTeam: "Name of a new team",
  addTeam: "Add the team",
  nobody: "nobody",
  members: (name: string | number) => `Members of ${name}`,
  remove: (name: string | number) => `Remove ${name}`,
  rulesAskTeam: (id: string | number) =>
    `Rules that ask team:${id} find nobody from then on. Its members stay.`,
  membersLegend: "Members",
  saveMembers: "Save the members",
};

export function Teams(): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const [trouble, setTrouble] = useState<string>();
  const loaded = useLoaded(async () => {
    const [{ teams }, { people }] = await Promise.all([
      api.get<TeamListOut>("/v1/teams"),
      api.get<PersonListOut>("/v1/people"),
    ]);
    return { teams, people: people.filter(({ erased_at: erased }) => erased === undefined) };
  }, changes);

  function onAdd(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    api.send<TeamOut>("POST", "/v1/teams", { id: String(form.get("team")).trim() }).then(
      () => {
        setTrouble(undefined);
        element.reset();
        peopleChanged();
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  }

  return (
    <section className="app-panel">
      <h2>{WORDS.teams}</h2>
      <Problem words={trouble} />
      <Await loaded={loaded}>
        {({ teams, people }) =>
          teams.length === 0 ? (
            <Empty title={WORDS.noTeamsYet}>
              <p>
                {WORDS.ruleCanAsk} <code>{WORDS.teamFinance}</code>.
              </p>
            </Empty>
          ) : (
            <ul className="app-plain">
              {teams.map((team) => (
                <Team key={team.id} team={team} people={people} />
              ))}
            </ul>
          )
        }
      </Await>
      <form className="app-form people-line" onSubmit={onAdd}>
        <label>
          {WORDS.nameNewTeam}
          <input name="team" required maxLength={100} autoComplete="off" />
        </label>
        <button type="submit" className="app-button">
          {WORDS.addTeam}
        </button>
      </form>
    </section>
  );
}

interface TeamProps {
  readonly team: TeamOut;
  readonly people: readonly PersonOut[];
}

function Team({ team, people }: TeamProps): ReactNode {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const path = `/v1/teams/${encodeURIComponent(team.id)}`;
  const names = new Map(people.map(({ id, name }) => [id, name]));

  function onSave(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const members = new FormData(event.currentTarget).getAll("member").map(String);
    api.send("PATCH", path, { members }).then(
      () => {
        setOpen(false);
        setTrouble(undefined);
        peopleChanged();
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  }

  return (
    <li>
      <span>
        <strong>{team.name}</strong>
        <small>
          {team.members.length === 0
            ? WORDS.nobody
            : team.members.map((member) => names.get(member) ?? member).join(", ")}
        </small>
      </span>
      <span className="app-tools">
        <button type="button" className="app-button" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {WORDS.members(team.name)}
        </button>
        <Sure
          label={WORDS.remove(team.name)}
          question={WORDS.rulesAskTeam(team.id)}
          act={() => api.send("DELETE", path)}
          onDone={peopleChanged}
          isDanger
        />
      </span>
      {isOpen ? (
        <form className="people-members" onSubmit={onSave}>
          {trouble === undefined ? null : <p role="alert">{trouble}</p>}
          <fieldset>
            <legend>{WORDS.membersLegend}</legend>
            {people.map(({ id, name }) => (
              <label key={id} className="app-inline">
                <input type="checkbox" name="member" value={id} defaultChecked={team.members.includes(id)} />
                {name}
              </label>
            ))}
          </fieldset>
          <button type="submit" className="app-button">
            {WORDS.saveMembers}
          </button>
        </form>
      ) : null}
    </li>
  );
}
