/** When a person is away, and who is asked and votes instead. */

import type { PersonOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { useApi } from "../hooks.ts";
import { Problem } from "../parts.tsx";
import { peopleChanged } from "./changes.ts";

const WORDS = {
  absence: "Absence",
  awayFrom: "Away from",
  until: "until",
  nobodyStands: ", and nobody stands in.",
  stands: (delegate: string | number) => `; ${delegate} stands in.`,
  endAbsence: "End the absence",
  backAt: "Back at",
  whoStands: "Who stands in",
  nobody: "nobody",
  saveAbsence: "Save the absence",
};

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
      <h2>{WORDS.absence}</h2>
      <Problem words={trouble} />
      {away === undefined ? null : (
        <div className="hp-notice">
          <p>
            {WORDS.awayFrom} <Moment at={away.from} /> {WORDS.until} <Moment at={away.until} />
            {away.delegate === undefined
              ? WORDS.nobodyStands
              : WORDS.stands(people.find((one) => one.id === away.delegate)?.name ?? away.delegate)}
          </p>
          <button type="button" className="app-button" onClick={() => save(null)}>
            {WORDS.endAbsence}
          </button>
        </div>
      )}
      <label>
        {WORDS.awayFrom}
        <input name="from" type="datetime-local" required />
      </label>
      <label>
        {WORDS.backAt}
        <input name="until" type="datetime-local" required />
      </label>
      <label>
        {WORDS.whoStands}
        <select name="delegate">
          <option value="">{WORDS.nobody}</option>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="app-button">
        {WORDS.saveAbsence}
      </button>
    </form>
  );
}
