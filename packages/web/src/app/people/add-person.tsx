/** Adds a person. The invitation is made on the person's own page. */

import type { PersonOut } from "@holdpoint/protocol";
import { type FormEvent, type ReactNode, useState } from "react";
import { wordsOf } from "../api.ts";
import { go, useApi } from "../hooks.ts";
import { Problem } from "../parts.tsx";
import { peopleChanged } from "./changes.ts";
import { personPath } from "./people-list.tsx";

const WORDS = {
  addPerson: "Add a person",
  personsName: "Person's name",
  eMailAddress: "E-mail address (optional)",
  idAsPerson: "Id, as in person:ada (optional)",
  personsRole: "Person's role",
  addPersonButton: "Add the person",
};

export const PERSON_ROLES = ["operator", "admin", "auditor"] as const;

export function AddPerson(): ReactNode {
  const api = useApi();
  const [trouble, setTrouble] = useState<string>();

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [id, email] = [String(form.get("id")).trim(), String(form.get("email")).trim()];
    const body = {
      name: String(form.get("name")),
      role: String(form.get("role")),
      ...(id === "" ? {} : { id }),
      ...(email === "" ? {} : { email }),
    };
    api.send<PersonOut>("POST", "/v1/people", body).then(
      (added) => {
        peopleChanged();
        go(personPath(added.id));
      },
      (fault: unknown) => setTrouble(wordsOf(fault)),
    );
  }

  return (
    <form className="app-panel app-form" onSubmit={onSubmit}>
      <h2>{WORDS.addPerson}</h2>
      <Problem words={trouble} />
      <label>
        {WORDS.personsName}
        <input name="name" required maxLength={100} autoComplete="off" />
      </label>
      <label>
        {WORDS.eMailAddress}
        <input name="email" type="email" maxLength={320} autoComplete="off" />
      </label>
      <label>
        {WORDS.idAsPerson}
        <input name="id" maxLength={100} autoComplete="off" />
      </label>
      <label>
        {WORDS.personsRole}
        <select name="role">
          {PERSON_ROLES.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="app-button">
        {WORDS.addPersonButton}
      </button>
    </form>
  );
}
