/** The people of the workspace: who counts, who has to be confirmed, who is away. */

import type { PersonListOut, PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { wordsOf } from "./api.ts";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Badge, Empty } from "./parts.tsx";

export function People(): ReactNode {
  const api = useApi();
  const [trouble, setTrouble] = useState<string>();
  const people = useLoaded(async () => (await api.get<PersonListOut>("/v1/people")).people);

  function change(id: string, body: object): void {
    api
      .send<PersonOut>("PATCH", `/v1/people/${encodeURIComponent(id)}`, body)
      .then(() => setTrouble(undefined))
      .catch((fault: unknown) => setTrouble(wordsOf(fault)))
      .finally(people.reload);
  }

  return (
    <section className="app-panel">
      <h2>People</h2>
      {trouble === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
      <Await loaded={people}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No people yet">
              People are added with `holdpoint people add` or in the configuration.
            </Empty>
          ) : (
            <ul className="app-list">
              {list.map((person) => (
                <Row key={person.id} person={person} onChange={(body) => change(person.id, body)} />
              ))}
            </ul>
          )
        }
      </Await>
    </section>
  );
}

interface RowProps {
  readonly person: PersonOut;
  readonly onChange: (body: object) => void;
}

function Row({ person, onChange }: RowProps): ReactNode {
  const { id, name, role, teams, status, verified, out_of_office: away } = person;
  const isSuspended = status === "suspended";
  return (
    <li>
      <strong>{name}</strong> <code>{id}</code> <Badge>{role}</Badge>
      {teams.length === 0 ? null : <small> {teams.join(", ")}</small>}
      {isSuspended ? <Badge>suspended</Badge> : null}
      {verified ? null : <Badge>not confirmed</Badge>}
      {away === undefined ? null : (
        <small>
          {" "}
          away until <Moment at={away.until} />
          {away.delegate === undefined ? null : `, ${away.delegate} stands in`}
        </small>
      )}{" "}
      {verified ? null : (
        <button type="button" className="hp-quiet" onClick={() => onChange({ verified: true })}>
          Confirm
        </button>
      )}
      <button
        type="button"
        className="hp-quiet"
        onClick={() => onChange({ status: isSuspended ? "active" : "suspended" })}
      >
        {isSuspended ? "Restore" : "Suspend"}
      </button>
    </li>
  );
}
