/** The people of the workspace: who counts, who has to be confirmed, who is away. */

import type { PersonListOut, PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import type { ReactNode } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, To } from "../parts.tsx";
import { usePeopleChanged } from "./changes.ts";

export function PeopleList(): ReactNode {
  const api = useApi();
  const changes = usePeopleChanged();
  const people = useLoaded(async () => (await api.get<PersonListOut>("/v1/people")).people, changes);
  return (
    <section className="app-panel">
      <h2>People</h2>
      <Await loaded={people}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No people yet">
              <p>Add one above, with `holdpoint people add`, or in the configuration.</p>
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
          {teams.length === 0 ? null : `, in ${teams.join(", ")}`}
          {away === undefined ? null : (
            <>
              , away until <Moment at={away.until} />
              {away.delegate === undefined ? null : `, ${away.delegate} stands in`}
            </>
          )}
        </small>
      </span>
      <span className="app-tools">
        {erased === undefined && status === "suspended" ? <Badge>suspended</Badge> : null}
        {erased === undefined ? null : <Badge>erased</Badge>}
        {verified ? null : <Badge>not confirmed</Badge>}
      </span>
    </li>
  );
}
