/** When a person is away, and who is asked and votes instead. */

import type { PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { peopleChanged } from "./changes.ts";

interface AbsenceProps {
  readonly person: PersonOut;
  readonly people: readonly PersonOut[];
}

export function AbsenceForm({ person, people }: AbsenceProps): ReactNode {
  const api = useApi();
  const [trouble, setTrouble] = useState<string>();
  const { id, out_of_office: away } = person;
  const others = people.filter((one) => one.id !== id && one.status === "active");

  function save(absence: object | null): void {
    api.send("PATCH", `/v1/people/${encodeURIComponent(id)}`, { out_of_office: absence }).then(
      () => {
        setTrouble(undefined);
        peopleChanged();
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const moment = (name: string) => new Date(String(form.get(name))).toISOString();
    const delegate = String(form.get("delegate"));
    save({ from: moment("from"), until: moment("until"), ...(delegate === "" ? {} : { delegate }) });
  }

  return (
    <form className="app-panel app-form" onSubmit={onSubmit}>
      <h2>Absence</h2>
      {trouble === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {trouble}
        </p>
      )}
      {away === undefined ? null : (
        <div className="hp-notice">
          <p>
            Away from <Moment at={away.from} /> until <Moment at={away.until} />
            {away.delegate === undefined ? ", and nobody stands in." : `; ${away.delegate} stands in.`}
          </p>
          <button type="button" className="app-button" onClick={() => save(null)}>
            End the absence
          </button>
        </div>
      )}
      <label>
        Away from
        <input name="from" type="datetime-local" required />
      </label>
      <label>
        Back at
        <input name="until" type="datetime-local" required />
      </label>
      <label>
        Who stands in
        <select name="delegate">
          <option value="">nobody</option>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="app-button">
        Save the absence
      </button>
    </form>
  );
}
