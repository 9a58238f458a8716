/** The people of the workspace: who counts, who has to be confirmed, who is away. */

import type { PersonListOut, PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, To } from "../parts.tsx";
import { usePeopleChanged } from "./changes.ts";

const WORDS = {
  people: "People",
  noPeopleYet: "No people yet",
  addOneAbove: "Add one above, with the command holdpoint people add, or in the configuration.",
  inText: (teams: string | number) => `, in ${teams}`,
  awayUntil: ", away until",
  stands: (delegate: string | number) => `, ${delegate} stands in`,
  suspended: "suspended",
  erased: "erased",
  notConfirmed: "not confirmed",
};

export function PeopleList(): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const people = useLoaded(async () => (await api.get<PersonListOut>("/v1/people")).people, changes);
  return (
    <section className="app-panel">
      <h2>{WORDS.people}</h2>
      <Await loaded={people}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={WORDS.noPeopleYet}>
              <p>{WORDS.addOneAbove}</p>
            </Empty>
          ) : (
            <ul className="app-plain people-list">
              {list.map((person) => (
                <Row key={person.id} person={person} />
              ))}
            </ul>
          )
        }
      </Await>
    </section>
  );
}

export function personPath(id: string): string {
  return `/console/people/${encodeURIComponent(id)}`;
}

function Row({ person }: { readonly person: PersonOut }): ReactNode {
  const { id, name, role, teams, status, verified, out_of_office: away, erased_at: erased } = person;
  return (
    <li>
      <span>
        <To href={personPath(id)}>
          <strong>{name}</strong>
        </To>{" "}
        {role}
        <small>
          {id}
          {teams.length === 0 ? null : WORDS.inText(teams.join(", "))}
          {away === undefined ? null : (
            <>
              {WORDS.awayUntil} <Moment at={away.until} />
              {away.delegate === undefined ? null : WORDS.stands(away.delegate)}
            </>
          )}
        </small>
      </span>
      <span className="app-tools">
        {erased === undefined && status === "suspended" ? <Badge>{WORDS.suspended}</Badge> : null}
        {erased === undefined ? null : <Badge>{WORDS.erased}</Badge>}
        {verified ? null : <Badge>{WORDS.notConfirmed}</Badge>}
      </span>
    </li>
  );
}
